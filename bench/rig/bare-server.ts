import { App } from 'uWebSockets.js'

// A child process: reads each body to its end and answers two bytes, which is the least that a route can do.
App()
  .post('/*', (response) => {
    response.onAborted(() => undefined)
    response.onData((_, isLast) => {
      if (isLast) response.cork(() => response.writeHeader('content-type', 'application/json').end('{}'))
    })
  })
  .listen('127.0.0.1', Number(process.argv[2]), (socket) => {
    process.send?.(socket ? 'listening' : 'refused')
  })
