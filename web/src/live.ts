// Follows a page that is served: its server numbers the states of the document, and hands out a later one when there is
// one. A server that is gone ends it.
import type { PageDocument } from "./document";

const INTERVAL = 1000;  // ms
const PATIENCE = 5;     // failures in a row

export function follow(shown: string, show: (next: PageDocument) => Promise<void>): void {
  let version = shown, failures = 0;
  const ask = async () => {
    try {
      const answer = await fetch(`data.json?after=${encodeURIComponent(version)}`, { cache: "no-store" });
      failures = 0;
      if (answer.status === 200) {
        version = answer.headers.get("X-Weir-Version") ?? "";
        await show(await answer.json() as PageDocument);
      }
    } catch {
      if (++failures >= PATIENCE) return;
    }
    setTimeout(ask, INTERVAL);
  };
  setTimeout(ask, INTERVAL);
}
