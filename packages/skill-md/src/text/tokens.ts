import { estimateTokenCount } from 'tokenx'
import type { TokenCounter } from '../ports/tokens.ts'
import { tokensOfForeignWord } from './foreign-words.ts'

/**
 * Estimates the number of tokens of a text without a model's tokenizer, which would take megabytes and fit one model only.
 * The estimate is within a few percent for English prose and rougher for other text; for an exact number, pass another
 * counter. Runs in linear time.
 */
export const estimateTokens: TokenCounter = (text) => {
  // By the rules of tokenx, which itself takes more than twice as long in a process that has counted nothing yet, and ten
  // times as long later. What is not certain of words that are not plain is left to it. Until this is compiled, a call of
  // a function costs as much as several characters, and a look-up behind the end makes every later one slow.
  const end = text.length
  let tokens = 0
  let isAfterMark = false
  let hasForeignBlank: boolean | undefined
  for (let at = 0; at < end;) {
    const start = at
    const code = text.charCodeAt(at++)
    let kind = KINDS[code] || foreignKind(code)
    if (kind === BLANK) {
      while (at < end && KINDS[text.charCodeAt(at)] === BLANK) at++
      if ((at - start > 1 || code !== SPACE) && addsToken(text, start, at, isAfterMark)) tokens++
      isAfterMark = false
    } else if (kind === MARK) {
      while (at < end && KINDS[text.charCodeAt(at)] === MARK) at++
      tokens += at - start <= CHARS_PER_MARK ? 1 : pieces(at - start, CHARS_PER_MARK)
      isAfterMark = true
    } else {
      let kinds = 0
      do {
        kinds |= kind
        // Nearly all characters are read here, before anything is compiled: none is looked at twice.
        if (++at > end) break
        const next = text.charCodeAt(at - 1)
        kind = KINDS[next] || foreignKind(next)
      } while (kind <= FOREIGN)
      at--
      if (kinds === LOWERCASE && at - start <= COMMON_WORD_CHARS) {
        tokens++
      } else if (kinds < FOREIGN) {
        tokens += tokensOfWord(at - start, kinds)
      } else {
        const known = tokensOfForeignWord(text, start, at)
        if (known === undefined) {
          // Blanks that are not ASCII belong to those around them.
          hasForeignBlank ??= FOREIGN_BLANK.test(text)
          if (hasForeignBlank) return estimateTokenCount(text)
          // What stands in front of a blank decides whether it counts.
          while (KINDS[text.charCodeAt(at)] === BLANK) at++
          tokens += estimateTokenCount(text.slice(start, at))
        } else tokens += known
      }
      isAfterMark = false
    }
  }
  return tokens
}

/** What a character is. A word has several kinds of letters, each of which is a bit. */
const LOWERCASE = 1
const DIGIT = 2
const OTHER = 4
/** See `tokensOfForeignWord`; what that does not know is left to tokenx. */
const FOREIGN = 8
const MARK = 16
const BLANK = 32

/** The kinds of the characters of ASCII; 0 of all others, since a look-up beyond the end would discard what is compiled. */
const KINDS = new Uint8Array(0x1_0000).fill(OTHER, 0, 0x80)
for (let code = 0x30; code <= 0x39; code++) KINDS[code] = DIGIT
for (let code = 0x61; code <= 0x7a; code++) KINDS[code] = LOWERCASE
for (const mark of '.,!?;(){}[]<>:/\\|@#$%^&*+=`~_"-') KINDS[mark.charCodeAt(0)] = MARK
for (const blank of ' \t\n\v\f\r') KINDS[blank.charCodeAt(0)] = BLANK

const SPACE = 0x20

/** The kind of a character beyond ASCII. */
function foreignKind(code: number): number {
  // Dashes and quotes, arrows, operators, lines and blocks, × and ÷: letters like any other.
  const isPlain =
    (code >= 0x2010 && code <= 0x2027) ||
    (code >= 0x2190 && code <= 0x2193) ||
    (code >= 0x2200 && code <= 0x22ff) ||
    (code >= 0x2500 && code <= 0x259f) ||
    code === 0xd7 ||
    code === 0xf7
  return isPlain ? OTHER : FOREIGN
}

const CHARS_PER_TOKEN = 7
const CHARS_PER_MARK = 6
const CHARS_PER_DIGIT = 3
/** A word of lower-case letters that is no longer is one token. */
const COMMON_WORD_CHARS = 8
const FOREIGN_BLANK = /(?![\0-\x7F])\s/
const STRUCTURE = /\n\s/

/** The tokens of a word that is not a common one. */
function tokensOfWord(length: number, kinds: number): number {
  if (kinds === DIGIT) return pieces(length, CHARS_PER_DIGIT)
  return pieces(length, CHARS_PER_TOKEN)
}

function pieces(length: number, charsPerToken: number): number {
  return length <= charsPerToken ? 1 : Math.ceil(length / charsPerToken)
}

/** Whether blanks count: those that begin another line count as one, unless it is a mark that ends the line before. */
function addsToken(text: string, start: number, end: number, isAfterMark: boolean): boolean {
  if (end - start === 1) return !isAfterMark && text.charAt(start) === '\n'
  const blanks = text.slice(start, end)
  return blanks.includes('\n') && (!isAfterMark || STRUCTURE.test(blanks))
}

const WORD = /\S+/g

/**
 * Returns a number that `estimateTokens` never falls below, for this text or any other with the same words in their order:
 * that of its words. Costs a fraction of the estimate.
 */
export function leastTokens(text: string): number {
  return text.match(WORD)?.length ?? 0
}
