/** Waits in a page that may be left or hidden meanwhile. */

/** Resolves after so long, not while the tab is hidden; at once when the signal is aborted. */
export function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      // The signal outlives the wait: a page polls for hours with the same one.
      signal.removeEventListener('abort', end)
      resolve()
    }
    const check = () => {
      if (document.hidden) timer = setTimeout(check, milliseconds)
      else end()
    }
    let timer = setTimeout(check, milliseconds)
    signal.addEventListener('abort', end)
  })
}
