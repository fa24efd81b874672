// The least that asking a model many times can cost: so many requests, so many at a time.
// Arguments: address, requests, how many at a time.

const [url, count, atOnce] = Deno.args;

let left = Number(count);

async function lane(): Promise<void> {
  while (left-- > 0) {
    const response = await fetch(url!, {
      method: "POST",
      headers: { "authorization": "Bearer bench", "content-type": "application/json" },
      body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "Is it met?" }] }),
    });
    if (!response.ok) Deno.exit(1);
    await response.json();
  }
}

await Promise.all(Array.from({ length: Number(atOnce) }, lane));
