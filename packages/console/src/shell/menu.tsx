import { say } from '../i18n.ts'
import { type PageGroup, pageGroups } from '../pages.ts'
import { hasKey, hasOperator, type Session, session } from '../session.ts'
import { Icon, iconOf } from '../ui/icon.tsx'
import { shellText } from './texts.ts'

export function mayOpen({ needs }: PageGroup, now: Session): boolean {
  if (needs === 'key') return hasKey(now)
  return needs === 'operator' ? hasOperator(now) : hasKey(now) || hasOperator(now)
}

export function Menu({ path, isOpen }: { path: string; isOpen: boolean }) {
  const groups = pageGroups.filter((group) => mayOpen(group, session.value))
  return (
    <nav id="menu" class={isOpen ? 'menu open' : 'menu'} aria-label={shellText('main')}>
      {groups.map((group) => (
        <MenuGroup key={group.key} group={group} path={path} />
      ))}
    </nav>
  )
}

function MenuGroup({ group, path }: { group: PageGroup; path: string }) {
  const shown = group.pages.filter(({ title }) => title !== undefined)
  return (
    <div class="menu-group">
      {group.key !== 'overview' && <p class="menu-title">{say(group.title)}</p>}
      <ul>
        {shown.map(({ path: own, title = group.title }) => (
          <li key={own}>
            <a href={`#${own}`} aria-current={isCurrent(own, path, group) ? 'page' : undefined}>
              <Icon name={iconOf(own)} />
              {say(title)}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** A page that is not in the menu belongs to the one that its path begins with. */
function isCurrent(own: string, path: string, { pages }: PageGroup): boolean {
  if (own === path) return true
  if (own === '/' || pages.some((page) => page.path === path && page.title)) return false
  return path.startsWith(`${own}/`)
}
