// Which runs have their curves drawn, in all charts alike. A comparison of many begins with the few that matter: the
// best, the reference, the best of what can be deployed, and the one that the reader has chosen.
import type { RunsDocument } from "./document";

export interface Shown {
  has(slot: number): boolean;
  toggle(slot: number): void;
  add(slot: number): void;
  onChange(listener: () => void): void;
}

export const MOST_AT_FIRST = 4;

export function shownSlots(slots: number[]): Shown {
  const set = new Set(slots), listeners: (() => void)[] = [];
  const changed = () => listeners.forEach((listener) => listener());
  return {
    has: (slot) => set.has(slot),
    toggle: (slot) => { if (!set.delete(slot)) set.add(slot); changed(); },
    add: (slot) => { if (!set.has(slot)) { set.add(slot); changed(); } },
    onChange: (listener) => listeners.push(listener),
  };
}

// Runs that matter come first, so that they have the colours that differ most; the order is that of the slots.
export function runsByWeight(document: RunsDocument): number[] {
  const { reference, best, deployable } = document.answer;
  const first = [reference, best, deployable].filter((r): r is number => r !== null);
  return [...new Set([...first, ...document.runs.keys()])];
}

export function runsAtFirst(document: RunsDocument): number[] {
  if (document.runs.length <= MOST_AT_FIRST) return [...document.runs.keys()];
  const { reference, best, deployable } = document.answer;
  const some = new Set([reference, best, deployable].filter((r): r is number => r !== null));
  return [...some];
}

// What every label begins with says nothing: "routing=ecmp" and "routing=spray" are "ecmp" and "spray". A beginning
// ends behind a sign that is no letter and no digit.
export function withoutCommonBeginning(labels: string[]): string[] {
  if (labels.length < 2) return labels;
  let common = labels[0]!;
  for (const label of labels) while (!label.startsWith(common)) common = common.slice(0, -1);
  common = common.replace(/[\p{L}\p{N}]*$/u, "");
  return labels.every((label) => label.length > common.length) ? labels.map((l) => l.slice(common.length)) : labels;
}
