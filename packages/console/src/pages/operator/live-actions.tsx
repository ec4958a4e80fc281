/** The head of a page that follows a stream: whether it is there, a pause, and an empty beginning. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { type Follow, type Live, useLive } from '../../data/live.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { operatorText } from './texts.ts'

export interface PausableLive<T> extends Live<T> {
  readonly isPaused: boolean
  pause(isPaused: boolean): void
}

export function usePausableLive<T>(follow: Follow<T>, most: number): PausableLive<T> {
  const [isPaused, setPaused] = useState(false)
  return { ...useLive(follow, { most, isPaused }), isPaused, pause: setPaused }
}

export interface LiveActionsProps {
  readonly live: PausableLive<unknown>
  readonly children?: ComponentChildren
}

export function LiveActions({ live, children }: LiveActionsProps) {
  const { isOpen, isPaused, pause, clear } = live
  return (
    <>
      <Badge tone={isOpen ? 'good' : 'warn'}>{operatorText(isOpen ? 'live' : 'connecting')}</Badge>
      <Button isPressed={isPaused} onClick={() => pause(!isPaused)}>
        {operatorText(isPaused ? 'resume' : 'pause')}
      </Button>
      <Button onClick={clear}>{operatorText('clear')}</Button>
      {children}
    </>
  )
}
