// Follows a page that is served: its server numbers the states of the document, and hands out the next one when it is
// there. A server that is gone ends it.
import type { PageDocument } from "./document";

const INTERVAL = 1000;  // ms
const PATIENCE = 5;     // failures in a row

export function follow(show: (next: PageDocument) => Promise<void>): void {
  let version = "", failures = 0;
  const ask = async () => {
    try {
      const answer = await fetch(`data.json?after=${encodeURIComponent(version)}`, { cache: "no-store" });
      failures = 0;
      if (answer.status === 200) {
        const first = version === "";
        version = answer.headers.get("X-Weir-Version") ?? "";
        const next = await answer.json() as PageDocument;
        if (!first || answer.headers.get("X-Weir-Fresh") !== null) await show(next);
      }
    } catch {
      if (++failures >= PATIENCE) return;
    }
    setTimeout(ask, INTERVAL);
  };
  setTimeout(ask, INTERVAL);
}
