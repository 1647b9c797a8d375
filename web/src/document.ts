// The document inside the page (src/report/*document.cpp and book.cpp write it) and the unpacking of what is compressed
// in it.
import { withoutCommonBeginning } from "./shown";

export interface Packed { z: string; n: number }
export type Curve = [number[], (number | null)[]];
export type Num = number | null;

export interface ClassResult {
  class: string; aggressor: number;
  generated: number; injected: number; received: number; received_bytes: number;
  throughput_bps: Num; window_throughput_bps: Num;
  latency_mean_ns: Num; latency_p50_ns: Num; latency_p99_ns: Num; latency_slowest_ns: Num; latency_max_ns: Num;
  latency_peak_bin_ns: Num; latency_peak_at_s: Num; marked_share: Num;
  event_latency_before_ns: Num; event_latency_peak_ns: Num; event_latency_rise: Num;
  event_throughput_dip: Num; event_recovery_s: Num; completion_mean_ns: Num; completion_last_ns: Num;
  flows: Num; flows_complete: Num; slowdown_mean: Num; slowdown_p50: Num; slowdown_p95: Num; slowdown_p99: Num;
  slowdown_max: Num; goodput_bps: Num; victim_flows: Num; victim_slowdown_p50: Num; victim_slowdown_p99: Num;
  slowdown: { up_to_bytes: number[]; flows: number[]; p50: Num[]; p95: Num[]; p99: Num[] };
  curves: { latency: Curve; latency_max: Curve; throughput: Curve };
  histogram: { low_ns: number[]; high_ns: number[]; packets: number[] };
}

export interface TableData {
  id: string; csv: string; total: number; shown: number; kept_by: string | null; columns: string[]; rows: Packed;
}

export interface FramesData {
  count: number; from_s: number[]; to_s: number[]; roots: number[][]; load: Packed; fill: Packed; wait: Packed;
}

export interface RunData {
  label: string; name: string; scenario: string; seed: number | string; config_hash: string; config: string;
  weir_version: string; ending: string; why_ended: string; end_s: number; warmup_s: number; bin_s: number;
  hosts: number; switches: number; received: number; throughput_bps: Num; fairness_jain: Num;
  event_from_s: Num; event_to_s: Num; hops: number;
  fabric: number; headline: string; harm_ns?: Num; harm_slowdown?: Num; hot_link_load: Num;
  waiting_s: number; ports_held_back: number;
  scheme: string; scheme_tag: string; scheme_never_acted: string | null; can_be_deployed: boolean; coarse: boolean;
  pause: boolean; pauses: Num; paused_s: Num;
  parameters: Record<string, string>;
  classes: ClassResult[];
  watched: { name: string; rate: Curve; queue: Curve }[];
  scheme_curves: { name: string; curve: Curve }[];
  numbers: Record<string, Num>;
  tables: TableData[];
  frames: FramesData | null;
}

export interface FabricData {
  hosts: number; switches: number; ports: number; arity: number;
  shape: "tree" | "umin" | "bmin" | "ring" | "grid" | "graph";
  sizes: number[]; wraps: boolean; all_joined: boolean;  // of a grid
  level_names: string[]; group_names: string[]; group: Packed;  // by switch: its group, or -1
  owner: Packed; to: Packed; level: Packed; position: Packed; names: Packed; port_names: Packed;
}

export interface Answer {
  headline: string; verdict: string; advice: string[]; innocent: string[]; measure: string;
  cards: { title: string; value: string; detail: string; tone: string }[];
  reference: number; best: number | null; helps: boolean; deployable: number | null;
  hot_link: string | null; hot_port: number | null;
}

export interface RunsDocument {
  format: number; kind: "runs"; title: string; scenario: string; weir_version: string; command: string;
  running: number | null; answer: Answer; fabrics: FabricData[]; runs: RunData[];
}

export interface Check {
  what: string; kind: string; paper: string; measured: string; verdict: string; reason?: string;
  paper_number?: number; measured_number?: number; tolerance?: number; second?: string;
}
export interface FigureData {
  name: string; title: string; x: string; y: string; log_x: boolean; log_y: boolean;
  curves?: { name: string; points_only: boolean; x: Num[]; y: Num[] }[];
}
export interface Entry { id: string; title: string; checks?: Check[]; figures?: FigureData[]; notes?: string[] }
export interface BookPaper {
  id: string; title: string; file: string; counts: Record<string, number>; entries: number; summary: string;
  claims: { says: string; holds: string; where: string[]; remark: string }[];
}
export interface BookDocument {
  format: number; kind: "book"; title: string; paper: string | null; weir_version: string;
  machine: string; date: string; depth: string; seed: string; simulations: number; seconds: number;
  papers: BookPaper[]; unreached?: string[]; second?: { fitted: string; why: string } | null;
  entries: Entry[];
}

export interface SweepAxis {
  key: string; keys: string[]; kind: "number" | "time" | "rate" | "bytes" | "category";
  labels: string[]; numbers: number[] | null;  // without numbers, only the order counts
  effects: Num[];                               // by subject: highest over lowest mean along this axis alone
}
export interface SweepSubject {
  kind: "class" | "app"; name: string; title: string; aggressor: boolean; main: number;
  measures: { metric: string; title: string }[];
}
export type SweepMean = [mean: number, half: Num, runs: number];
// Place on every axis, runs, failed runs, and by subject and measure the mean.
export type SweepRow = [at: number[], runs: number, failed: number, means: (SweepMean | null)[][]];
export interface SweepDocument {
  format: number; kind: "sweep"; title: string; scenario: string; weir_version: string; command: string;
  config: string; config_hash: string; confidence: number; repetitions: number;
  answer: {
    sentences: string[]; keys: string[]; notes: string[];
    cards: { title: string; value: string; detail: string; tone: string }[];
  };
  axes: SweepAxis[]; subjects: SweepSubject[]; count: number; points: Packed;
  failures: { total: number; shown: { label: string; error: string }[] };
}
// What `weir diagnose` found in the counters of a subnet.
export interface DiagnosisDocument {
  format: number; kind: "diagnosis"; title: string; weir_version: string; command: string;
  seconds: number | null; ports_read: number; headline: string; conclusive: boolean; held: string; unknown: string;
  advice: string[]; remarks: string[]; roots: number[]; held_back: number[]; unexplained: number[];  // ports
  fabric: FabricData; moment: { load: Packed; wait: Packed }; tables: TableData[];
}
export type PageDocument = RunsDocument | BookDocument | SweepDocument | DiagnosisDocument;

// --- unpacking ---

export async function unpack(data: Packed): Promise<Uint8Array> {
  const text = atob(data.z);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const out = new Uint8Array(await new Response(stream).arrayBuffer());
  if (out.length !== data.n) throw new Error("the report is damaged: a table has the wrong length");
  return out;
}

export async function unpackIntegers(data: Packed): Promise<Int32Array> {
  const bytes = await unpack(data);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Int32Array.from({ length: bytes.length / 4 }, (_, i) => view.getInt32(4 * i, true));
}

export async function unpackJson<T>(data: Packed): Promise<T> {
  return JSON.parse(new TextDecoder().decode(await unpack(data))) as T;
}

export async function unpackNibbles(data: Packed, length: number): Promise<Uint8Array> {
  const bytes = await unpack(data);
  const values = new Uint8Array(length);
  for (let i = 0; i < length; ++i) values[i] = i % 2 === 0 ? bytes[i >> 1]! & 15 : bytes[i >> 1]! >> 4;
  return values;
}

// --- the fabric, ready for use ---

export interface Fabric {
  hosts: number; ports: number; nodes: number; shape: FabricData["shape"]; arity: number;
  sizes: number[]; wraps: boolean; allJoined: boolean; levelNames: string[]; groupNames: string[];
  group: Int32Array;  // by switch; empty without groups
  owner: Int32Array; to: Int32Array; level: Int32Array; position: Int32Array;
  names: string[]; shortNames: string[]; portNames: string[];
}

// Short names are clear as they are; of long ones the common beginning goes.
const shortened = (names: string[]) => (names.some((name) => name.length > 8) ? withoutCommonBeginning(names) : names);

export async function unpackFabric(data: FabricData): Promise<Fabric> {
  const [owner, to, level, position, group, names, suffixes] = await Promise.all([
    unpackIntegers(data.owner), unpackIntegers(data.to), unpackIntegers(data.level), unpackIntegers(data.position),
    unpackIntegers(data.group), unpackJson<string[]>(data.names), unpackJson<string>(data.port_names)]);
  const portNames = suffixes.split("\n").slice(0, data.ports).map((suffix, p) => names[owner[p]!] + suffix);
  return {
    hosts: data.hosts, ports: data.ports, nodes: data.hosts + data.switches, shape: data.shape, arity: data.arity,
    sizes: data.sizes, wraps: data.wraps, allJoined: data.all_joined, levelNames: data.level_names,
    groupNames: data.group_names, group, owner, to, level, position, names, portNames,
    shortNames: [...shortened(names.slice(0, data.hosts)), ...shortened(names.slice(data.hosts))],
  };
}

export const linkName = (f: Fabric, port: number) =>
  `${f.portNames[port]} → ${f.to[port]! >= 0 ? f.names[f.owner[f.to[port]!]!] : "nothing"}`;
