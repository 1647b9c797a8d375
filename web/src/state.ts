// What the reader has chosen, kept while a live page is drawn anew: the run, the moment, and whoever wants to know.
export interface ViewState {
  run: number;
  time: number | null;  // seconds; nothing yet: the worst moment, or the last one of a run that goes on
  chosen: boolean;      // by the reader, and kept when a later state of the run comes in
  moved(source: unknown): void;
  onMove(listener: (source: unknown) => void): void;
}

export function newState(run: number): ViewState {
  const listeners: ((source: unknown) => void)[] = [];
  return {
    run, time: null, chosen: false,
    moved: (source) => listeners.forEach((listener) => listener(source)),
    onMove: (listener) => listeners.push(listener),
  };
}
