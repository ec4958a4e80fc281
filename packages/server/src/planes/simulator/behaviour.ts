/**
 * What a simulated device is and does: a pure function of the seed, the card and the five-minute step.
 * So the whole past and future of a fleet exists without being stored, and is the same every time.
 */
import { createHash } from 'node:crypto'
import type { Device, Traffic } from '../../services/sim/public.ts'

const STEPS_A_DAY = 288

export function deviceOf(seed: string, iccid: string, carriers: readonly string[]): Device {
  const dice = throwDice(seed, iccid, 'device')
  const imei = `35${String(dice.readUInt32BE(0)).padStart(10, '0')}${String(dice.readUInt16BE(4) % 1000).padStart(3, '0')}`
  return { imei, carrier: carriers[dice.readUInt32BE(8) % carriers.length] ?? '' }
}

/** A heartbeat in every step; now and then a burst, more of them by day than by night in Japan. */
export function trafficOf(seed: string, iccid: string, step: number): Traffic {
  const dice = throwDice(seed, iccid, String(step))
  const heartbeat = 200 + (dice.readUInt16BE(0) % 800)
  const chance = dice.readUInt16BE(2) / 2 ** 16
  if (chance >= burstChance(step)) {
    return { uplinkBytes: heartbeat, downlinkBytes: Math.floor(heartbeat / 2) }
  }
  const burst = 4_096 + (dice.readUInt32BE(4) % 60_000)
  return { uplinkBytes: heartbeat + burst, downlinkBytes: heartbeat + (burst >> 2) }
}

function burstChance(step: number): number {
  // Nine hours ahead of UTC; the day's most is at 14 o'clock, its least at 2 in the night.
  const place = (Math.floor(step / 300_000) + 9 * 12) % STEPS_A_DAY
  return 0.25 - 0.2 * Math.cos(((place - 24) / STEPS_A_DAY) * 2 * Math.PI)
}

function throwDice(...words: readonly string[]): Buffer {
  return createHash('sha256').update(words.join('\n')).digest()
}
