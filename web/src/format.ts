// Numbers as people read them: three significant digits and a unit, exactly as the terminal prints them
// (src/report/number_format.cpp).
const DASH = "-";
type Maybe = number | null | undefined;
const known = (value: Maybe): value is number => value !== null && value !== undefined && Number.isFinite(value);

export function threeDigits(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e6) return value.toPrecision(3);
  if (size >= 99.95) return value.toFixed(0);
  return value.toFixed(size >= 9.995 ? 1 : 2);
}

// The largest unit of which there is at least one after rounding: 999.9 ns is 1.00 us, not 1000 ns.
function withUnit(value: Maybe, units: [number, string][]): string {
  if (!known(value)) return DASH;
  if (value === 0) return `0 ${units[0]![1]}`;
  let best = units[0]!;
  for (const unit of units) if (Math.abs(value) >= 0.9995 * unit[0]) best = unit;
  return `${threeDigits(value / best[0])} ${best[1]}`;
}

const PS: [number, string][] = [[1, "ps"], [1e3, "ns"], [1e6, "us"], [1e9, "ms"], [1e12, "s"]];
export const nanoseconds = (ns: Maybe) => withUnit(known(ns) ? ns * 1e3 : ns, PS);
export const time = (s: Maybe) => withUnit(known(s) ? s * 1e12 : s, PS);
// For axes, where nothing is just nothing.
export const axisTime = (s: Maybe) => (s === 0 ? "0" : time(s));
export const rate = (bps: Maybe) =>
  withUnit(bps, [[1, "b/s"], [1e3, "kb/s"], [1e6, "Mb/s"], [1e9, "Gb/s"], [1e12, "Tb/s"]]);
export const bytes = (value: Maybe) =>
  known(value) && Number.isInteger(value) && Math.abs(value) < 1000 ? `${value} B`
    : withUnit(value, [[1, "B"], [1e3, "kB"], [1e6, "MB"], [1e9, "GB"], [1e12, "TB"]]);
export function share(value: Maybe): string {
  if (!known(value)) return DASH;
  const percent = 100 * value;
  return percent !== 0 && Math.abs(percent) < 0.095 ? `${percent.toPrecision(2)} %` : `${percent.toFixed(1)} %`;
}
export const count = (value: Maybe) => (known(value) ? value.toLocaleString("en") : DASH);
export const factor = (value: Maybe) => (known(value) ? `${threeDigits(value)}x` : DASH);
export const slowdown = (value: Maybe) => (known(value) ? threeDigits(value) : DASH);
export const plain = (value: Maybe) => (known(value) ? String(Number(value.toPrecision(4))) : DASH);

// By the name of a result's column: units are part of it.
export function byColumn(name: string): (value: Maybe) => string {
  if (name.endsWith("_bps")) return rate;
  if (name.endsWith("_ns")) return nanoseconds;
  if (name.endsWith("_s")) return time;
  if (name.endsWith("bytes")) return bytes;
  if (name.includes("slowdown")) return slowdown;
  if (name === "utilisation" || name === "load" || name.endsWith("_share") || name.endsWith("_dip")) return share;
  return count;
}
