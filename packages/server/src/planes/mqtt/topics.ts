/** The topics that there are. Each device sees its own alone: a topic names no device. */

const UP = /^up(?:\/([0-9A-Fa-f]{2}))?$/

/** Where a device sends to: messages, or the bytes of one value under a tag. Undefined of any other topic. */
export function readUpTopic(topic: string): { readonly tag: string | undefined } | undefined {
  const match = UP.exec(topic)
  return match === null ? undefined : { tag: match[1]?.toUpperCase() }
}

/** Messages to the device. */
export const DOWN = 'down'
/** Why a message of the device was not taken. */
export const ERRORS = 'down/errors'

export function isDownTopic(topic: string): boolean {
  return topic === DOWN || topic === ERRORS
}
