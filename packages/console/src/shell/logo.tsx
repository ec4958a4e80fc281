/**
 * The mark: bands of mist, as Japanese painters draw clouds, before the colours of dawn. Drawn in the page,
 * so that it is there with the first letters; src/icon.svg is the same for the browser's tab.
 */
export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
      <defs>
        <linearGradient id="dawn" x1="0" y1="0" x2="1" y2="1">
          <stop offset="0" stop-color="#3346c9" />
          <stop offset=".6" stop-color="#7a4fc4" />
          <stop offset="1" stop-color="#e2688a" />
        </linearGradient>
      </defs>
      <rect width="32" height="32" rx="8" fill="url(#dawn)" />
      <path
        d="M13 9.5h6M8 16h11M13 22.5h11M24.5 16h.01M7.5 22.5h.01"
        fill="none"
        stroke="#fff"
        stroke-width="4"
        stroke-linecap="round"
      />
    </svg>
  )
}
