/**
 * What a simulated device is and does: a pure function of the seed, the card and the five-minute step.
 * So the whole past and future of a fleet exists without being stored, and is the same every time.
 */
import { createHash } from 'node:crypto'
import { type Span, STEP_MS } from '../../kernel/steps.ts'
import type { Device, Traffic } from './session-rules.ts'

const STEPS_A_DAY = 288
/** Japan is nine hours ahead of UTC. */
const JAPAN_STEPS = 9 * 12

export function deviceOf(seed: string, iccid: string, carriers: readonly string[]): Device {
  const dice = digestOf(seed, iccid, 'device')
  const imei = `35${String(dice.readUInt32BE(0)).padStart(10, '0')}${String(dice.readUInt16BE(4) % 1000).padStart(3, '0')}`
  return { imei, carrier: carriers[dice.readUInt32BE(8) % carriers.length] ?? '' }
}

/** What a device sends, by the step. */
export function trafficSource(seed: string, iccid: string): (step: number) => Traffic {
  const nature = natureOf(seed, iccid)
  return (step) => stepTraffic(nature, Math.floor(step / STEP_MS))
}

export function trafficOf(seed: string, iccid: string, step: number): Traffic {
  return trafficSource(seed, iccid)(step)
}

/** The sum over every step of the span; with a `stride`, every nth step stands for n of them. */
export function trafficSum(
  { seed, iccid }: { readonly seed: string; readonly iccid: string },
  { from, to }: Span,
  stride = 1,
): Traffic {
  const nature = natureOf(seed, iccid)
  const end = Math.ceil(to / STEP_MS)
  let uplinkBytes = 0
  let downlinkBytes = 0
  for (let index = Math.ceil(from / STEP_MS); index < end; index += stride) {
    const traffic = stepTraffic(nature, index)
    uplinkBytes += traffic.uplinkBytes
    downlinkBytes += traffic.downlinkBytes
  }
  return { uplinkBytes: stride * uplinkBytes, downlinkBytes: stride * downlinkBytes }
}

/** Some devices send several times as much as others. */
interface Nature {
  readonly key: number
  readonly volume: number
}

function natureOf(seed: string, iccid: string): Nature {
  const dice = digestOf(seed, iccid, 'traffic')
  return { key: dice.readUInt32BE(0), volume: 0.5 + 2 * (dice.readUInt16BE(4) / 2 ** 16) ** 2 }
}

/** A heartbeat in every step; now and then a burst, which is answered, more often by day than by night in Japan. */
function stepTraffic({ key, volume }: Nature, index: number): Traffic {
  const first = mix(key ^ Math.imul(index, 0x9e37_79b1))
  const heartbeat = 200 + ((first >>> 16) % 800)
  if ((first & 0xffff) >= (BURSTS[(index + JAPAN_STEPS) % STEPS_A_DAY] ?? 0)) {
    return { uplinkBytes: heartbeat, downlinkBytes: heartbeat >> 1 }
  }
  const burst = Math.floor(volume * (4_096 + (mix(first + 0x6d2b_79f5) % 60_000)))
  return { uplinkBytes: heartbeat + burst, downlinkBytes: heartbeat + (burst >> 2) }
}

/** How many of 65,536 steps have a burst: the day's most is at 14 o'clock, its least at 2 in the night. */
const BURSTS = Uint16Array.from({ length: STEPS_A_DAY }, (_, place) =>
  Math.round(2 ** 16 * (0.25 - 0.2 * Math.cos(((place - 24) / STEPS_A_DAY) * 2 * Math.PI))),
)

/** The finalizer of MurmurHash3: every bit of the result depends on every bit given. */
function mix(bits: number): number {
  let hash = Math.imul(bits ^ (bits >>> 16), 0x85eb_ca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

function digestOf(...words: readonly string[]): Buffer {
  return createHash('sha256').update(words.join('\n')).digest()
}
