// The end of the page: whose software it is. The page holds a copy of uPlot, whose licence asks that its notice goes
// wherever the copy goes; it comes from the package that is built in, so that the two cannot part.
import uplot from "uplot/LICENSE?raw";
import { el } from "./dom";

export const notices = (): HTMLElement =>
  el("footer", { id: "notices" }, el("details", {}, el("summary", {}, "Licences"),
    el("p", {}, "This page was written by weir, copyright the weir authors, under the Apache License 2.0 " +
      "(www.apache.org/licenses/LICENSE-2.0). Its charts are drawn by uPlot:"),
    el("pre", {}, uplot.trim())));
