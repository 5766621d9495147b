import { matchBrackets, matchClass, readCharacter } from './character-class.ts'

/** An expression in the syntax of RE2, as far as queries depend on it. */
export interface RegularExpression {
  /** Number of its capturing groups. */
  readonly groups: number
  /** Whether an empty text may match, such as the start or the end of a text. */
  readonly matchesEmpty: boolean
}

/** The reason for which an expression is refused, as the end of a sentence about it. */
export interface RefusedExpression {
  readonly problem: string
}

/** RE2 refuses a part that repetitions, also nested ones, repeat more often than this. */
const REPEAT_MAX = 1000

/** A limit on the size of the compiled expression, in states: RE2 refuses more than about 130,000. */
const STATES_MAX = 100_000

/** Deeper groups serve no query. */
const DEPTH_MAX = 50

/** Upper estimates of the states of a character in UTF-8, in both cases, and of those of a class of characters. */
const STATES = { character: 10, class: 60, written: 8, property: 1200 } as const

/** Symbols that stand for a position. The byte `\C` is not among them: it would cut characters. */
const POSITION = /^(?:\^|\$|\\[bBAz])/

/** Text without any syntax. */
const QUOTED = /^\\Q(?<text>.*?)(?:\\E|$)/s

/** Flags of a group, or of the rest of the group that it is in. */
const GROUP_FLAGS = /^\(\?[imsU]*(?:-[imsU]+)?[:)]/
const NAMED_GROUP = /^\(\?P?<(?<name>[A-Za-z0-9_]+)>/
const COUNTED = /^\{(?<least>0|[1-9][0-9]*)(?:,(?<most>0|[1-9][0-9]*)?)?\}/

/** A part of an expression. */
interface Part {
  /** Estimated states. */
  readonly states: number
  /** How often nested repetitions repeat the innermost part. */
  readonly repeats: number
  /** Whether an empty text matches. */
  readonly matchesEmpty: boolean
}

/** Checks an expression by the syntax of RE2. Some very rare forms are refused although RE2 has them. */
export function checkRegularExpression(pattern: string): RegularExpression | RefusedExpression {
  try {
    return new Parser(pattern).parse()
  } catch (error) {
    if (error instanceof Refusal) return { problem: error.message }
    throw error
  }
}

class Refusal extends Error {}

class Parser {
  readonly #pattern: string
  readonly #names = new Set<string>()
  #at = 0
  #groups = 0

  constructor(pattern: string) {
    this.#pattern = pattern
  }

  parse(): RegularExpression {
    const { states, matchesEmpty } = this.#alternatives(0)
    if (this.#at < this.#pattern.length) throw this.#refusal('has a ) without a (')
    if (states > STATES_MAX) throw new Refusal('is too large')
    return { groups: this.#groups, matchesEmpty }
  }

  get #rest(): string {
    return this.#pattern.slice(this.#at)
  }

  #refusal(problem: string): Refusal {
    return new Refusal(`${problem} at position ${[...this.#pattern.slice(0, this.#at)].length + 1}`)
  }

  #alternatives(depth: number): Part {
    if (depth > DEPTH_MAX) throw this.#refusal(`has more than ${DEPTH_MAX} nested groups`)
    const parts = [this.#sequence(depth)]
    while (this.#rest.startsWith('|')) {
      this.#at += 1
      parts.push(this.#sequence(depth))
    }
    return { ...sumOf(parts), matchesEmpty: parts.some((part) => part.matchesEmpty) }
  }

  #sequence(depth: number): Part {
    const parts: Part[] = []
    while (this.#at < this.#pattern.length && !/^[|)]/.test(this.#rest)) {
      const part = this.#atom(depth)
      if (part) parts.push(this.#repeated(part))
    }
    return { ...sumOf(parts), matchesEmpty: parts.every((part) => part.matchesEmpty) }
  }

  #startsRepetition(): boolean {
    return /^[*+?]/.test(this.#rest) || COUNTED.test(this.#rest)
  }

  /** The part with the repetition that follows it. */
  #repeated(part: Part): Part {
    if (!this.#startsRepetition()) return part
    const counted = COUNTED.exec(this.#rest)
    const repeats = counted ? this.#countOf(counted) : 1
    const isOptional = counted ? Number(counted.groups?.least) === 0 : !this.#rest.startsWith('+')
    this.#at += counted?.[0].length ?? 1
    if (this.#rest.startsWith('?')) this.#at += 1
    if (this.#startsRepetition()) throw this.#refusal('repeats a repetition')
    if (part.repeats * Math.max(repeats, 1) > REPEAT_MAX) throw this.#refusal('repeats too often')
    return {
      states: part.states * (repeats + 1),
      repeats: part.repeats * Math.max(repeats, 1),
      matchesEmpty: isOptional || part.matchesEmpty,
    }
  }

  #countOf({ groups = {} }: RegExpExecArray): number {
    const least = Number(groups.least)
    const most = groups.most === undefined ? least : Number(groups.most)
    if (most < least) throw this.#refusal('has a repetition with its bounds in the wrong order')
    if (most > REPEAT_MAX) throw this.#refusal('repeats too often')
    return most
  }

  /** The next part; `undefined` for one that is no text, such as a change of flags. */
  #atom(depth: number): Part | undefined {
    const rest = this.#rest
    if (this.#startsRepetition()) throw this.#refusal('has nothing to repeat')
    if (rest.startsWith('(')) return this.#group(depth)
    if (rest.startsWith('[')) return this.#brackets()
    const position = POSITION.exec(rest)
    if (position) return { ...this.#take(position[0].length, STATES.character), matchesEmpty: true }
    if (rest.startsWith('\\')) return this.#escape()
    return this.#take([...rest][0]?.length ?? 1, rest.startsWith('.') ? STATES.class : STATES.character)
  }

  #take(length: number, states: number): Part {
    this.#at += length
    return { states, repeats: 1, matchesEmpty: false }
  }

  #group(depth: number): Part | undefined {
    const opening = this.#open()
    this.#at += opening.length
    if (opening.endsWith(')')) return undefined
    const part = this.#alternatives(depth + 1)
    if (!this.#rest.startsWith(')')) throw this.#refusal('lacks a )')
    this.#at += 1
    return part
  }

  /** The text that opens a group, or changes flags. */
  #open(): string {
    if (!this.#rest.startsWith('(?')) {
      this.#groups += 1
      return '('
    }
    const flags = GROUP_FLAGS.exec(this.#rest)
    if (flags) return flags[0]
    const named = NAMED_GROUP.exec(this.#rest)
    const name = named?.groups?.name
    if (!named || name === undefined) throw this.#refusal('has an unsupported group')
    if (this.#names.has(name)) throw this.#refusal(`names two groups ${name}`)
    this.#names.add(name)
    this.#groups += 1
    return named[0]
  }

  #brackets(): Part {
    const length = matchBrackets(this.#rest)
    if (length === undefined) throw this.#refusal('has a [ without a valid class')
    return this.#take(length, statesOfBrackets(this.#rest.slice(0, length)))
  }

  #escape(): Part | undefined {
    const rest = this.#rest
    const quoted = QUOTED.exec(rest)
    if (quoted) {
      const part = this.#take(quoted[0].length, quoted[0].length * STATES.character)
      return quoted.groups?.text === '' ? undefined : part
    }
    const ofClass = matchClass(rest)
    if (ofClass !== undefined) return this.#take(ofClass, /^\\p/i.test(rest) ? STATES.property : STATES.class)
    const length = readCharacter(rest)?.length
    if (length === undefined) throw this.#refusal('has an unsupported escape')
    return this.#take(length, STATES.character)
  }
}

/** Characters beyond ASCII, and properties, take states of their own. */
function statesOfBrackets(text: string): number {
  const properties = text.match(/\\p/gi)?.length ?? 0
  const written = /^[\0-\x7f]*$/.test(text) && !text.includes('\\x') ? 0 : text.length
  return STATES.class + written * STATES.written + properties * STATES.property
}

function sumOf(parts: readonly Part[]): Pick<Part, 'states' | 'repeats'> {
  return {
    states: parts.reduce((sum, { states }) => sum + states, 1),
    repeats: Math.max(1, ...parts.map(({ repeats }) => repeats)),
  }
}
