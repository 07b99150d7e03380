// A link holds, after its #, the run and what is shown of it, in words that can be read in print. A reader's file is packed.

const packed = async (text, stream) =>
  new Uint8Array(await new Response(new Blob([text]).stream().pipeThrough(stream)).arrayBuffer());

async function pack(content) {
  const bytes = await packed(content, new CompressionStream("deflate-raw"));
  const text = btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(""));
  return text.replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
}

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
  return new TextDecoder().decode(await packed(bytes, new DecompressionStream("deflate-raw")));
}

// write returns the link of a state.
export async function write(s) {
  const q = new URLSearchParams();
  if (s.yaml === null) { q.set("run", s.scenario); } else { q.set("file", await pack(s.yaml)); }
  q.set("seed", s.seed);
  for (const [path, value] of Object.entries(s.set)) { q.append("set", path + "=" + value); }
  if (s.schedule !== null) { q.set("schedule", s.schedule.trimEnd()); }
  if (s.beside) { q.set("beside", s.beside); }
  if (s.at !== null) { q.set("at", Math.round(s.at)); }
  for (const flag of ["tour", "embed"]) { if (s[flag]) { q.set(flag, s[flag]); } }
  return "#" + q.toString().replace(/%(2F|3A|2C|3D|40)/g, (c) => decodeURIComponent(c));
}

// read returns the state of a link on top of the one that a page begins with. What is not in it stays as it is there.
export async function read(link, first) {
  const q = new URLSearchParams(link.replace(/^#/, "")), seed = Number(q.get("seed"));
  if (!link.includes("=")) { return first; }
  return {
    scenario: q.get("run") || first.scenario, yaml: q.has("file") ? await unpack(q.get("file")) : null,
    seed: Number.isSafeInteger(seed) && seed > 0 ? seed : 1,
    set: sets(q.getAll("set")),
    schedule: q.has("schedule") ? q.get("schedule") + "\n" : null, beside: q.get("beside") || "",
    tour: Number(q.get("tour")) || 0, embed: Number(q.get("embed")) || 0,
    at: q.has("at") && Number.isFinite(Number(q.get("at"))) ? Number(q.get("at")) : null,
  };
}

// sets returns settings by their paths.
export const sets = (all) => Object.fromEntries(all.map((x) => [x.split("=")[0], x.slice(x.indexOf("=") + 1)]));

// setup returns what the simulator is asked to run: a state, and one setting more if there is one.
export function setup(s, also) {
  const set = Object.entries({ ...s.set, ...sets(also ? [also] : []) }).map(([path, value]) => path + "=" + value);
  return { ...(s.yaml === null ? { scenario: s.scenario } : { yaml: s.yaml }), set, schedule: s.schedule, seed: s.seed };
}
