import { Badge } from '../../ui/badge.tsx'
import { siteText } from './texts.ts'

export function StatusBadge({ status }: { status: string }) {
  const isOn = status === 'enabled'
  return <Badge tone={isOn ? 'good' : 'calm'}>{siteText(isOn ? 'enabled' : 'disabled')}</Badge>
}
