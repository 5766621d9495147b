import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { waitFor } from '../harness/wait.ts'

/** A server that is no part of the service, for as long as a test runs. */
export class ChildServer {
  readonly #child: ChildProcess

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  /** Starts it and waits until it accepts connections on a port. */
  static async start(program: string, words: readonly string[], port: number): Promise<ChildServer> {
    const child = spawn(program, words, { stdio: ['ignore', 'ignore', 'pipe'] })
    let output = ''
    child.stderr.on('data', (chunk) => {
      output += chunk
    })
    await waitFor(`${program} to listen`, async () => {
      if (child.exitCode !== null) throw new Error(`${program} ended: ${output}`)
      return await accepts(port)
    })
    return new ChildServer(child)
  }

  /** Stops it by its id, and waits until it is gone. */
  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return
    this.#child.kill('SIGTERM')
    await once(this.#child, 'exit')
  }
}

/** A key and a self-signed certificate for localhost. */
export interface Certificate {
  readonly certPath: string
  readonly keyPath: string
  /** The certificate in PEM, for clients to trust. */
  readonly pem: string
}

/** Makes a certificate in a folder with openssl. */
export function makeCertificate(folder: string): Certificate {
  const certPath = join(folder, 'cert.pem')
  const keyPath = join(folder, 'key.pem')
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', keyPath]
  execFileSync('openssl', ['req', '-x509', '-days', '2', ...key, '-out', certPath, ...subject], {
    stdio: 'pipe',
  })
  return { certPath, keyPath, pem: readFileSync(certPath, 'utf8') }
}

async function accepts(port: number): Promise<true | undefined> {
  const socket = connect({ host: '127.0.0.1', port })
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return undefined
  } finally {
    socket.destroy()
  }
}
