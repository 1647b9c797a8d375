// Builds the report's page as one file: script and style stand inside it, and a content security policy names exactly
// those two by their hashes. Whatever else might find its way into a page, a label with a script in it say, cannot run,
// and nothing can be fetched from anywhere but the page's own server.
import { createHash } from "node:crypto";
import { defineConfig, type Plugin } from "vite";

const hash = (text: string) => `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;

function oneFile(): Plugin {
  return {
    name: "one-file",
    enforce: "post",
    generateBundle(_options, bundle) {
      let script = "", style = "";
      for (const [name, part] of Object.entries(bundle)) {
        if (part.type === "chunk") script += part.code;
        else if (name.endsWith(".css")) style += part.source;
        else continue;
        delete bundle[name];
      }
      script = script.replaceAll("</script", "<\\/script").trim();
      style = style.trim();
      const policy = [
        "default-src 'none'", `script-src ${hash(script)}`, `style-src ${hash(style)}`, "img-src data:",
        "connect-src 'self'", "base-uri 'none'", "form-action 'none'",
      ].join("; ");
      const page = bundle["index.html"];
      if (page?.type !== "asset") throw new Error("no page was built");
      let html = String(page.source)
        .replace(/\s*<script type="module"[^>]*><\/script>/, "")
        .replace(/\s*<link rel="stylesheet"[^>]*>/, "");
      // Functions as replacements: "$" has no meaning in them.
      html = html.replace("<!--policy-->", () => `<meta http-equiv="Content-Security-Policy" content="${policy}">`);
      html = html.replace("<!--style-->", () => `<style>${style}</style>`);
      html = html.replace("<!--script-->", () => `<script type="module">${script}</script>`);
      page.source = html;
      page.fileName = "report.html";
    },
  };
}

export default defineConfig({
  base: "./",
  plugins: [oneFile()],
  build: {
    target: "es2022",
    outDir: "dist",
    emptyOutDir: true,
    modulePreload: false,
    assetsInlineLimit: 1 << 20,
    cssCodeSplit: false,
    reportCompressedSize: false,
  },
});
