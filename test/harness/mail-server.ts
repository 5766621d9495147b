import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'

/** A mail that the server took. */
export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** The client's credentials as `user:password`; empty without authentication. */
  readonly credentials: string
  /** The message as it came: headers, an empty line, the body. */
  readonly source: string
  /** Whether it came over TLS. */
  readonly isSecure: boolean
}

/** How the server behaves. */
export interface MailServerOptions {
  /** Takes mail only after authentication as `user:password`. */
  readonly credentials?: string
  /** Replies to `RCPT TO`, one after the other; then every recipient is accepted. */
  readonly recipientReplies?: readonly string[]
  /** Called with each mail before the reply to it. */
  readonly onMail?: (mail: ReceivedMail) => void
  /** Accepts connections and sends nothing. */
  readonly isSilent?: boolean
  /** Greets with a line that has no end. */
  readonly isEndless?: boolean
  /** Offers STARTTLS with a key and a certificate in PEM; `broken` refuses what it offered. */
  readonly starttls?: 'broken' | { readonly key: string; readonly cert: string }
}

/** A mail server of the tests, on a free port of this machine. */
export interface MailServer {
  readonly port: number
  /** Connections that came. */
  readonly connectionCount: number
  /** Lines that came in the clear. */
  readonly clearLines: readonly string[]
  readonly mails: readonly ReceivedMail[]
  stop(): Promise<void>
}

/** Starts a mail server. */
export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const clearLines: string[] = []
  let connectionCount = 0
  const sockets = new Set<Socket>()
  const replies = [...(options.recipientReplies ?? [])]
  const server = createServer((socket) => {
    sockets.add(socket)
    connectionCount++
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
    if (options.isEndless) writeForever(socket)
    else if (!options.isSilent) new Conversation(socket, { ...options, replies, mails, clearLines })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('a TCP server has no port')
  return {
    port: address.port,
    get connectionCount() {
      return connectionCount
    },
    clearLines,
    mails,
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function writeForever(socket: Socket): void {
  const piece = Buffer.alloc(64 * 1024, '2')
  const write = () => {
    while (!socket.destroyed && socket.write(piece));
  }
  socket.on('drain', write).resume()
  write()
}

interface ConversationOptions extends MailServerOptions {
  readonly replies: string[]
  readonly mails: ReceivedMail[]
  readonly clearLines: string[]
}

/** One client: commands in, replies out. */
class Conversation {
  #socket: Socket
  readonly #options: ConversationOptions
  #input = ''
  #isData = false
  #credentials = ''
  #from = ''
  #to: string[] = []

  constructor(socket: Socket, options: ConversationOptions) {
    this.#socket = socket
    this.#options = options
    socket.setEncoding('utf8').on('data', (chunk: string) => this.#read(chunk))
    this.#reply('220 mail.test ESMTP')
  }

  #read(chunk: string): void {
    this.#input += chunk
    for (;;) {
      const end = this.#isData ? '\r\n.\r\n' : '\r\n'
      const length = this.#input.indexOf(end)
      if (length === -1) return
      const text = this.#input.slice(0, length)
      this.#input = this.#input.slice(length + end.length)
      if (this.#isData) this.#take(text)
      else this.#obey(text)
    }
  }

  #obey(line: string): void {
    if (!this.#isSecure()) this.#options.clearLines.push(line)
    const [verb = '', argument = ''] = line.split(/ (.*)/s)
    if (verb === 'EHLO') this.#greet()
    else if (verb === 'STARTTLS') this.#secure()
    else if (verb === 'AUTH') this.#authenticate(argument.replace(/^PLAIN /, ''))
    else if (verb === 'MAIL') this.#begin(argument)
    else if (verb === 'RCPT') this.#address(argument)
    else if (verb === 'DATA') this.#isData = this.#reply('354 go on')
    else if (verb === 'QUIT') this.#socket.end('221 bye\r\n')
    else this.#reply('502 what?')
  }

  #isSecure(): boolean {
    return this.#socket instanceof TLSSocket
  }

  #greet(): void {
    const offersTls = this.#options.starttls !== undefined && !this.#isSecure()
    this.#reply(`250-mail.test\r\n${offersTls ? '250-STARTTLS\r\n' : ''}250 AUTH PLAIN`)
  }

  #secure(): void {
    const { starttls } = this.#options
    if (starttls === undefined) this.#reply('502 what?')
    else if (starttls === 'broken') this.#reply('454 4.7.0 not now')
    else {
      this.#reply('220 go on')
      this.#socket.removeAllListeners('data')
      this.#socket = new TLSSocket(this.#socket, { ...starttls, isServer: true })
      this.#socket.on('error', () => this.#socket.destroy())
      this.#socket.setEncoding('utf8').on('data', (chunk) => this.#read(String(chunk)))
    }
  }

  #authenticate(base64: string): void {
    const [, user = '', password = ''] = Buffer.from(base64, 'base64').toString().split('\0')
    const isRight = `${user}:${password}` === this.#options.credentials
    if (isRight) this.#credentials = `${user}:${password}`
    this.#reply(isRight ? '235 welcome' : '535 5.7.8 these are not your credentials')
  }

  #begin(argument: string): void {
    if ((this.#options.credentials ?? '') !== this.#credentials) {
      this.#reply('530 5.7.0 who are you?')
      return
    }
    this.#from = inBrackets(argument)
    this.#to = []
    this.#reply('250 ok')
  }

  #address(argument: string): void {
    const reply = this.#options.replies.shift() ?? '250 ok'
    if (reply.startsWith('250')) this.#to.push(inBrackets(argument))
    this.#reply(reply)
  }

  #take(source: string): void {
    this.#isData = false
    const unstuffed = source.replaceAll('\r\n..', '\r\n.')
    const mail = {
      from: this.#from,
      to: this.#to,
      credentials: this.#credentials,
      source: unstuffed,
      isSecure: this.#isSecure(),
    }
    this.#options.mails.push(mail)
    this.#options.onMail?.(mail)
    this.#reply('250 taken')
  }

  #reply(text: string): true {
    this.#socket.write(`${text}\r\n`)
    return true
  }
}

function inBrackets(argument: string): string {
  return /<([^>]*)>/.exec(argument)?.[1] ?? ''
}
