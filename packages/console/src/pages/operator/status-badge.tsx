import { Badge } from '../../ui/badge.tsx'

export function StatusBadge({ status }: { status: number }) {
  return <Badge tone={status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good'}>{status}</Badge>
}
