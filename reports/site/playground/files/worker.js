// The worker in which the simulator runs, so that the page stays at hand. It is told once where the simulator is; after that
// each message is a call, and is answered. The simulator comes gzipped, as plain bytes, so that any server will do; one that
// has it unpacked is told by its first bytes.
"use strict";

self.onmessage = async ({ data }) => {
  if (data.exec) {
    try {
      await start(data);
      self.postMessage({ ready: true });
    } catch (err) {
      self.postMessage({ failed: err.message || String(err) });
    }
    return;
  }
  try {
    const answer = self.lockstorm.call(data.name, data.request);
    if (typeof answer !== "string") { throw new Error("its program has ended"); }
    self.postMessage({ id: data.id, answer });
  } catch (err) {
    self.postMessage({ id: data.id, died: err.message || String(err) });
  }
};

// start runs the simulator: that of a module, or one that is fetched and compiled while it comes.
async function start({ exec, engine, module }) {
  self.importScripts(exec);
  const go = new self.Go();
  if (!module) {
    const bytes = new Response(await unpacked(engine), { headers: { "Content-Type": "application/wasm" } });
    module = await WebAssembly.compileStreaming(bytes);
    self.postMessage({ module });
  }
  go.run(await WebAssembly.instantiate(module, go.importObject));
  for (let n = 0; !self.lockstorm; n++) { // main sets it, and then waits
    if (n > 500) { throw new Error("the simulator does not answer"); }
    await new Promise((done) => setTimeout(done, n ? 10 : 0));
  }
}

// unpacked fetches the simulator, says how much of it is there, and returns its bytes as they come.
async function unpacked(engine) {
  const got = await fetch(engine);
  if (!got.ok) { throw new Error(`the server answers ${got.status} to ${engine}`); }
  const whole = Number(got.headers.get("Content-Length"));
  const reader = got.body.getReader();
  const first = await reader.read();
  let here = first.value ? first.value.length : 0;
  const bytes = new ReadableStream({
    start(c) { if (first.value) { c.enqueue(first.value); } },
    async pull(c) {
      const { done, value } = await reader.read();
      if (done) { c.close(); return; }
      here += value.length;
      self.postMessage({ progress: [here, whole] });
      c.enqueue(value);
    },
  });
  const packed = first.value && first.value[0] === 0x1f && first.value[1] === 0x8b;
  return packed ? bytes.pipeThrough(new DecompressionStream("gzip")) : bytes;
}
