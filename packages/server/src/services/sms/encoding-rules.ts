/**
 * How a text travels: in the GSM 7-bit alphabet when all of it is there, else as UCS-2. A longer text is
 * cut into segments that carry a header, and no character is cut in two (3GPP TS 23.038, 23.040).
 */

export const ENCODINGS = ['GSM 7-bit', 'UCS-2'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** The basic table without its escape, which is no character. */
const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
/** The extension table: each takes an escape and one more septet. */
const EXTENSION = new Set('\f^{}\\[~]|€')

/** Units that fit into a message of one segment, and into each segment of several. */
const ROOM: Readonly<Record<Encoding, { readonly alone: number; readonly each: number }>> = {
  'GSM 7-bit': { alone: 160, each: 153 },
  'UCS-2': { alone: 70, each: 67 },
}

export interface Encoded {
  readonly encoding: Encoding
  readonly segments: number
}

export function encode(text: string): Encoded {
  const characters = [...text]
  const isGsm = characters.every((character) => BASIC.has(character) || EXTENSION.has(character))
  const encoding = isGsm ? 'GSM 7-bit' : 'UCS-2'
  const sizes = characters.map((character) =>
    isGsm ? (EXTENSION.has(character) ? 2 : 1) : character.length,
  )
  return { encoding, segments: countSegments(sizes, ROOM[encoding]) }
}

function countSegments(
  sizes: readonly number[],
  { alone, each }: { readonly alone: number; readonly each: number },
): number {
  const total = sizes.reduce((sum, size) => sum + size, 0)
  if (total <= alone) return 1
  let segments = 1
  let filled = 0
  for (const size of sizes) {
    // A pair that does not fit as a whole begins the next segment.
    if (filled + size > each) {
      segments += 1
      filled = 0
    }
    filled += size
  }
  return segments
}
