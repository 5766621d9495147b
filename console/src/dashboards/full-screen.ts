import { onCleanup, onMount } from 'solid-js'

/** Shows the page without the frame of the console, or with it again. */
export function toggleFullScreen(): void {
  // A browser may refuse, for example inside a frame: the page stays as it is.
  if (document.fullscreenElement) document.exitFullscreen().catch(() => undefined)
  else document.documentElement.requestFullscreen().catch(() => undefined)
}

/** Marks the page while it fills the screen, for its style sheet; leaving the page leaves full screen. */
export function useFullScreen(): void {
  const follow = (): void => {
    if (document.fullscreenElement) document.documentElement.dataset.fullScreen = ''
    else delete document.documentElement.dataset.fullScreen
  }
  onMount(() => document.addEventListener('fullscreenchange', follow))
  onCleanup(() => {
    document.removeEventListener('fullscreenchange', follow)
    delete document.documentElement.dataset.fullScreen
    if (document.fullscreenElement) document.exitFullscreen().catch(() => undefined)
  })
}
