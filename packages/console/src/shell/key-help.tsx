/** All keys of the console. */
import { say } from '../i18n.ts'
import { pageGroups } from '../pages.ts'
import { session } from '../session.ts'
import { Dialog } from '../ui/dialog.tsx'
import { mayOpen } from './menu.tsx'
import { OTHER_KEYS, PAGE_KEYS } from './shortcuts.ts'
import { shellText } from './texts.ts'

export function KeyHelp({ onClose }: { onClose: () => void }) {
  const pages = pageGroups.filter((group) => mayOpen(group, session.value)).flatMap((g) => g.pages)
  const rows = Object.entries(PAGE_KEYS).flatMap(([key, path]) => {
    const title = pages.find((page) => page.path === path)?.title
    return title === undefined ? [] : [[['g', key], title] as const]
  })
  return (
    <Dialog title={shellText('keys')} onClose={onClose}>
      <dl class="key-list">
        {[...OTHER_KEYS, ...rows].map(([keys, what]) => (
          <div key={keys.join(' ')}>
            <dt>
              {keys.map((key, at) => (
                <kbd key={String(at)}>{key}</kbd>
              ))}
            </dt>
            <dd>{say(what)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
