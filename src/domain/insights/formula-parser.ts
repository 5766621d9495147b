import type { BinaryKind, Expression } from './formula.ts'
import { invalidSpec } from './insight-context.ts'

/** What a formula may name, and its path for errors. */
export interface FormulaScope {
  readonly field: string
  readonly seriesCount: number
}

/** A part of a formula; `position` counts characters from 1. */
interface Token {
  readonly kind: 'number' | 'name' | 'sign' | 'end'
  readonly text: string
  readonly position: number
}

const TOKEN =
  /(?<space>[ \t\r\n]+)|(?<number>[0-9]+(?:\.[0-9]+)?)|(?<name>[A-Za-z_][A-Za-z0-9_]*)|(?<sign>[-+*/(),])/uy

const NESTED_MAX = 20

const FUNCTIONS: Readonly<Record<string, 'min' | 'max' | 'abs'>> = { min: 'min', max: 'max', abs: 'abs' }

/** Parses an arithmetic expression. Throws `invalid_argument` with the position of the mistake. */
export function parseExpression(text: string, scope: FormulaScope): Expression {
  return new Parser(listTokens(text, scope), scope).parse()
}

function listTokens(text: string, scope: FormulaScope): readonly Token[] {
  const tokens: Token[] = []
  let at = 0
  let position = 1
  while (at < text.length) {
    TOKEN.lastIndex = at
    const match = TOKEN.exec(text)
    const groups = match?.groups
    if (!match || !groups) {
      const character = String.fromCodePoint(text.codePointAt(at) ?? 0)
      throw mistake(scope, position, `unexpected character ${JSON.stringify(character)}`)
    }
    const [found] = match
    const kind = (['number', 'name', 'sign'] as const).find((each) => groups[each] !== undefined)
    if (kind) tokens.push({ kind, text: found, position })
    at += found.length
    position += found.length
  }
  return [...tokens, { kind: 'end', text: '', position }]
}

/** Recursive descent with one token of lookahead. Chains of operators are loops, so that only parentheses and signs nest. */
class Parser {
  readonly #tokens: readonly Token[]
  readonly #scope: FormulaScope
  #at = 0
  #nested = 0

  constructor(tokens: readonly Token[], scope: FormulaScope) {
    this.#tokens = tokens
    this.#scope = scope
  }

  parse(): Expression {
    const root = this.#sum()
    const { kind, text, position } = this.#next
    if (kind !== 'end') throw this.#mistake(position, `unexpected ${text}; expected an operator`)
    return root
  }

  #sum(): Expression {
    return this.#chain(['+', '-'], () => this.#product())
  }

  #product(): Expression {
    return this.#chain(['*', '/'], () => this.#signed())
  }

  #chain(operators: readonly BinaryKind[], operand: () => Expression): Expression {
    let left = operand()
    for (;;) {
      const kind = operators.find((operator) => this.#accept(operator))
      if (!kind) return left
      left = { kind, left, right: operand() }
    }
  }

  /** Pairs of minus signs cancel out. */
  #signed(): Expression {
    let isNegative = false
    while (this.#accept('-')) isNegative = !isNegative
    const of = this.#operand()
    return isNegative ? { kind: 'negate', of } : of
  }

  #operand(): Expression {
    const { kind, text, position } = this.#next
    this.#at += 1
    if (kind === 'number') return { kind, value: Number(text) }
    if (kind === 'name') return this.#named(text, position)
    if (text === '(') return this.#inParentheses(position, () => this.#sum())
    throw this.#mistake(position, `${unexpected(kind, text)}; expected a number, a series or a parenthesis`)
  }

  #named(name: string, position: number): Expression {
    const call = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined
    if (call) return this.#call(call)
    if (!/^[A-Z]$/.test(name)) {
      throw this.#mistake(
        position,
        `unknown name ${name}; expected a series (A to Z) or a function (min, max, abs)`,
      )
    }
    const index = name.charCodeAt(0) - 'A'.charCodeAt(0)
    const { seriesCount } = this.#scope
    if (index < seriesCount) return { kind: 'series', index }
    throw this.#mistake(position, `unknown series ${name}; the query has ${seriesCount} series`)
  }

  #call(kind: 'min' | 'max' | 'abs'): Expression {
    const { position } = this.#next
    this.#expect('(')
    return this.#inParentheses(position, () => {
      const left = this.#sum()
      if (kind === 'abs') return { kind, of: left }
      this.#expect(',')
      return { kind, left, right: this.#sum() }
    })
  }

  /** What follows an opening parenthesis, and the closing one. */
  #inParentheses(position: number, parse: () => Expression): Expression {
    this.#nested += 1
    if (this.#nested > NESTED_MAX) {
      throw this.#mistake(position, `parentheses must be nested at most ${NESTED_MAX} deep`)
    }
    const inner = parse()
    this.#expect(')')
    this.#nested -= 1
    return inner
  }

  #accept(sign: string): boolean {
    const { kind, text } = this.#next
    if (kind !== 'sign' || text !== sign) return false
    this.#at += 1
    return true
  }

  #expect(sign: string): void {
    const { kind, text, position } = this.#next
    if (this.#accept(sign)) return
    throw this.#mistake(position, `${unexpected(kind, text)}; expected ${sign}`)
  }

  get #next(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: '', position: 0 }
  }

  #mistake(position: number, description: string): Error {
    return mistake(this.#scope, position, description)
  }
}

function unexpected(kind: Token['kind'], text: string): string {
  return kind === 'end' ? 'unexpected end of the formula' : `unexpected ${text}`
}

function mistake({ field }: FormulaScope, position: number, description: string): Error {
  return invalidSpec(field, `position ${position}: ${description}`)
}
