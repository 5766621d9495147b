import { connections } from './attacks/connections.ts'
import { crowds } from './attacks/crowds.ts'
import { heavyBodies } from './attacks/heavy-bodies.ts'
import { http2Floods } from './attacks/http2-floods.ts'
import { access } from './facts/access.ts'
import { answers } from './facts/answers.ts'
import { bombs } from './facts/bombs.ts'
import { framing } from './facts/framing.ts'
import { grpc } from './facts/grpc.ts'
import { http2Heads } from './facts/http2-heads.ts'
import { identity } from './facts/identity.ts'
import { mailHeads } from './facts/mail.ts'
import { outbound } from './facts/outbound.ts'
import { pages } from './facts/pages.ts'
import { protobuf } from './facts/protobuf.ts'
import { sessions } from './facts/sessions.ts'
import { shares } from './facts/shares.ts'
import type { Attack, Chapter } from './statement.ts'

/** All statements that are about one request or a few. */
export const CHAPTERS: readonly Chapter[] = [
  framing,
  http2Heads,
  protobuf,
  identity,
  access,
  sessions,
  shares,
  outbound,
  pages,
  grpc,
  mailHeads,
  bombs,
  answers,
]

/** All attacks that go on for a while; what others notice of them is measured. */
export const ATTACKS: readonly Attack[] = [...heavyBodies, ...connections, ...http2Floods, ...crowds]
