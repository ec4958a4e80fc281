/** What devices send, as it comes, and sending to them. */
import { useState } from 'preact/hooks'
import { formatTime } from '../../format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Select } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { DeviceCard } from './device-card.tsx'
import { HistoryCard } from './history-card.tsx'
import { type LiveSocket, type Received, useLiveSocket } from './live-socket.ts'
import type { Project } from './project.ts'
import { SendCard } from './send-card.tsx'
import { iotText } from './texts.ts'
import { Values } from './values.tsx'

export function MessagesTab({ project, device }: { project: Project; device: string | undefined }) {
  const socket = useLiveSocket()
  const [sent, setSent] = useState(0)
  return (
    <>
      <div class="cards">
        <DeviceCard project={project} socket={socket} onSent={() => setSent(sent + 1)} />
        <LiveCard project={project} socket={socket} />
      </div>
      <HistoryCard project={project} device={device} round={sent} />
      <SendCard project={project} socket={socket} />
    </>
  )
}

function LiveCard({ project, socket }: { project: Project; socket: LiveSocket }) {
  const adapters = project.adapters.filter(({ type }) => type === 'websocket')
  const [chosen, setChosen] = useState('')
  const adapter = adapters.find(({ id }) => id === chosen) ?? adapters[0]
  const isOn = socket.state !== 'closed'
  if (adapter === undefined) {
    return (
      <Card title={iotText('live')}>
        <EmptyState title={iotText('noWebsocket')} />
      </Card>
    )
  }
  return (
    <Card
      title={iotText('live')}
      actions={
        <span role="status">
          <Badge tone={socket.state === 'open' ? 'good' : 'calm'}>{iotText(socket.state)}</Badge>
        </span>
      }
    >
      <div class="filters">
        <Select
          label={iotText('adapter')}
          value={adapter.id}
          onChange={setChosen}
          options={adapters.map(({ id, name }) => [id, name || id] as const)}
        />
        <Button
          kind={isOn ? 'plain' : 'primary'}
          onClick={() => (isOn ? socket.close() : void socket.open(adapter.url))}
        >
          {iotText(isOn ? 'stop' : 'listen')}
        </Button>
        <Button kind="quiet" onClick={socket.clear}>
          {iotText('clear')}
        </Button>
      </div>
      {socket.code !== undefined && (
        <p class="note bad" role="alert">
          {iotText('lost', { code: socket.code })}
        </p>
      )}
      <Messages received={socket.received} />
    </Card>
  )
}

function Messages({ received }: { received: readonly Received[] }) {
  if (received.length === 0) return <EmptyState title={iotText('noMessages')} />
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must take the focus.
    <div class="messages" role="log" aria-label={iotText('live')} tabIndex={0}>
      {received.map(({ at, text }) => (
        <article key={at}>
          <Shown text={text} />
        </article>
      ))}
    </div>
  )
}

/** Whatever comes is text: a message is read, and what is none is shown as it is. */
function Shown({ text }: { text: string }) {
  const message = parse(text)
  if (!Array.isArray(message.payload)) return <pre>{text}</pre>
  return (
    <>
      <div class="message-head">
        <code>{String(message.id)}</code>
        <span class="note">{formatTime(String(message.datetime))}</span>
      </div>
      <div class="note">
        {iotText('device')} <code>{String(message.device_id)}</code>
      </div>
      <Values payload={message.payload} />
    </>
  )
}

function parse(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}
