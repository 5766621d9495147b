import { createElement } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { App, type AppProps, navigate } from './app.ts'

const errors: string[] = []

/** Makes what the server rendered an application, and returns a function that changes its properties. */
function hydrate(props: AppProps): (changed: Partial<AppProps>) => void {
  const container = document.querySelector('#root') ?? document.body
  const onRecoverableError = (error: unknown): void => {
    errors.push(String(error))
  }
  const root = hydrateRoot(container, createElement(App, props), { onRecoverableError })
  return (changed) => root.render(createElement(App, { ...props, ...changed }))
}

Object.assign(window, { hydrate, navigate, errors })
