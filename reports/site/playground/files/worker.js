// The worker in which the simulator runs. Its first message says where the simulator is; each later one is a call.
"use strict";

self.onmessage = async ({ data }) => {
  if (data.exec) {
    self.postMessage(await start(data).then(() => ({ ready: true }), (err) => ({ failed: err.message || String(err) })));
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

// unpacked fetches the simulator, reports progress, and returns its bytes, which a server may send gzipped or not.
async function unpacked(engine) {
  const got = await fetch(engine);
  if (!got.ok) { throw new Error(`the server answers ${got.status} to ${engine}`); }
  const whole = Number(got.headers.get("Content-Length"));
  const [peek, all] = got.body.tee(), reader = peek.getReader();
  const { value: [a, b] = [] } = await reader.read();
  reader.cancel(); // all of it comes through the other branch
  let here = 0;
  const bytes = all.pipeThrough(new TransformStream({ transform(chunk, to) {
    here += chunk.length;
    self.postMessage({ progress: [here, whole] });
    to.enqueue(chunk);
  } }));
  return a === 0x1f && b === 0x8b ? bytes.pipeThrough(new DecompressionStream("gzip")) : bytes;
}
