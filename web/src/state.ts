// What the reader has chosen, kept while a live page is drawn anew: the run, the moment, and whoever wants to know.
export interface ViewState {
  run: number;
  time: number | null;  // seconds; nothing yet: the worst moment
  moved(source: unknown): void;
  onMove(listener: (source: unknown) => void): void;
}

export function newState(run: number): ViewState {
  const listeners: ((source: unknown) => void)[] = [];
  return {
    run, time: null,
    moved: (source) => listeners.forEach((listener) => listener(source)),
    onMove: (listener) => listeners.push(listener),
  };
}
