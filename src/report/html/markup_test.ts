import assert from "node:assert/strict";
import { markup } from "./markup.ts";

Deno.test("texts are escaped in elements and in attributes, whatever is nested", () => {
  const hostile = `</b>'"&<script>`;
  const { html } = markup`<b title="${hostile}">${[hostile, [
    1,
    null,
    markup`<i>${"&amp;"}</i>`,
  ]]}</b>`;
  const escaped = "&lt;/b&gt;&#39;&quot;&amp;&lt;script&gt;";
  assert.equal(html, `<b title="${escaped}">${escaped}1<i>&amp;amp;</i></b>`);
});

Deno.test("what cannot be seen, or turns the text around it, becomes a mark", () => {
  const { html } = markup`${"a\0b\x1b[31mc\u202ed\u2066e\ud800f\tg\nh\r\u200e"}`;
  assert.equal(html, "a\ufffdb\ufffd[31mc\ufffdd\ufffde\ufffdf\tg\nh\r\ufffd");
});
