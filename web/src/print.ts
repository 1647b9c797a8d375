// The page on paper: what is drawn when it comes into view is drawn at once, what is folded is unfolded, and everything
// is as wide as a sheet. What was done is undone afterwards.
import { themeChanged } from "./palette";

interface Part { before: () => void; after: (() => void) | undefined }
const parts = new Set<Part>();
let undo: (() => void) | null = null;

export const printing = () => undo !== null;
// `before` is called when the page has the width of the sheet, in light colours.
export function onPrint(before: () => void, after?: () => void): void { parts.add({ before, after }); }
export function forgetPrinted(): void { parts.clear(); }

function prepare(): void {
  if (undo) return;
  const root = document.documentElement, theme = root.dataset.theme;
  const folded = [...document.querySelectorAll<HTMLDetailsElement>("details:not([open])")];
  undo = () => {
    for (const one of folded) one.open = false;
    root.classList.remove("printing");
    if (theme === undefined) delete root.dataset.theme;
    else root.dataset.theme = theme;
    themeChanged();
  };
  root.classList.add("printing");
  root.dataset.theme = "light";
  themeChanged();
  for (const one of folded) one.open = true;
  for (const part of parts) part.before();
}

function restore(): void {
  undo?.();
  undo = null;
  for (const part of parts) part.after?.();
}

export function watchPrinting(): void {
  addEventListener("beforeprint", prepare);
  addEventListener("afterprint", restore);
}
