// Colours that people with any kind of colour vision can tell apart (after Okabe and Ito), for light and dark grounds;
// curves also differ in their dashes, so that colour is never the only sign.
const LIGHT = ["#0072b2", "#d55e00", "#009e73", "#aa4499", "#b38600", "#3a8fb7", "#000000", "#77771f"];
const DARK = ["#56b4e9", "#ff9440", "#2cc79b", "#e79ac6", "#f0c13d", "#9fd6f5", "#ffffff", "#cccc66"];
const DASHES: number[][] = [[], [6, 3], [2, 2], [8, 3, 2, 3], [12, 4], [4, 4], [1, 3], [10, 2, 2, 2, 2, 2]];

export const isDark = (): boolean => {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
};
export const seriesColour = (index: number) => (isDark() ? DARK : LIGHT)[index % LIGHT.length]!;
// A second run through the colours has other dashes, so that sixty-four curves differ.
export const seriesDash = (index: number) => DASHES[(index + 3 * Math.floor(index / LIGHT.length)) % DASHES.length]!;

export const cssColour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// Relative luminance and contrast as the accessibility guidelines (WCAG 2) define them, of "#rrggbb".
function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}
function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high! + 0.05) / (low! + 0.05);
}
// Black or white, whichever is easier to read on a fill: one of them always has a contrast of 4.58 or more.
export const textOn = (fill: string) =>
  (contrast("#ffffff", fill) >= contrast("#000000", fill) ? "#ffffff" : "#000000");

// Load of a link, 0..15: from hardly visible to strong blue; light and dark grounds mirror each other.
export function loadColours(): string[] {
  const mix = (a: number[], b: number[], t: number) => a.map((v, i) => Math.round(v + (b[i]! - v) * t)).join(" ");
  const [idle, half, full] = isDark()
    ? [[52, 58, 66], [62, 110, 160], [150, 215, 255]] : [[222, 226, 230], [120, 170, 215], [0, 68, 136]];
  return Array.from({ length: 16 }, (_, i) => {
    const t = i / 15;
    return `rgb(${t < 0.5 ? mix(idle!, half!, t * 2) : mix(half!, full!, t * 2 - 1)})`;
  });
}

// What draws anew when the reader switches between light and dark.
const listeners = new Set<() => void>();
export function onThemeChange(draw: () => void): void { listeners.add(draw); }
export function forgetThemeListeners(): void { listeners.clear(); }
export function themeChanged(): void { for (const draw of listeners) draw(); }
