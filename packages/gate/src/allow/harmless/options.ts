import type { Syntax } from './program.ts'

/** An option of the data. */
export interface Option {
  /** The first of its names. */
  readonly name: string
  readonly values: 'none' | 'one' | 'attached' | 'two'
  readonly isHarmless: boolean
}

/** Options by each of their names. */
export type Options = ReadonlyMap<string, Option>

/** Every command is judged by these, and the data has only so many texts. */
const parsed = new Map<string, Options>()

/** Reads options as the data has them, see `HarmlessProgram`. Parses each text once. */
export function readOptions(text: string): Options {
  const known = parsed.get(text)
  if (known !== undefined) return known
  const options = new Map<string, Option>()
  for (const entry of text.split(/\s+/)) {
    if (entry === '') continue
    const [, mark, names = '', arity = ''] = /^(!?)(.*?)(==|=\?|=|)$/.exec(entry)!
    const all = names.split(',').flatMap((name) => {
      return name.includes('[no-]') ? [name.replace('[no-]', ''), name.replace('[no-]', 'no-')] : [name]
    })
    const values = arity === '==' ? 'two' : arity === '=?' ? 'attached' : arity === '=' ? 'one' : 'none'
    for (const name of all) options.set(name, { name: all[0]!, values, isHarmless: mark === '' })
  }
  parsed.set(text, options)
  return options
}

/** An option as a word gives it. */
export interface GivenOption {
  /** Undefined: it is not in the data. */
  readonly option: Option | undefined
  /** As a message names it. */
  readonly given: string
  /** The value in the same word. */
  readonly attached?: string
}

/** The options that one word gives; several only where letters stand together. */
export function optionsOf(word: string, options: Options, syntax: Syntax): readonly GivenOption[] {
  if (syntax === 'exact' || syntax === 'single-dash') return [exactOption(word, options, syntax)]
  if (word.startsWith('--')) return [longOption(word, options, syntax)]
  if (/^-\d+$/.test(word) && options.has('-#')) return [{ option: options.get('-#'), given: word }]
  return lettersOf(word.slice(1), options)
}

function exactOption(word: string, options: Options, syntax: Syntax): GivenOption {
  const option = options.get(word)
  if (option !== undefined) return { option, given: word }
  return syntax === 'exact' && word.startsWith('--') ? longOption(word, options, syntax) : { option, given: word }
}

function longOption(word: string, options: Options, syntax: Syntax): GivenOption {
  const at = word.indexOf('=')
  if (at < 0) return { option: options.get(word), given: word }
  const [given, attached] = [word.slice(0, at), word.slice(at + 1)]
  const option = options.get(given)
  const isSwitch = syntax === 'pflag' && /^(?:true|false)$/.test(attached)
  if (option?.values === 'two' || (option?.values === 'none' && !isSwitch)) return { option: undefined, given: word }
  return { option, given, attached }
}

/** Options of one letter each, of which the last may have the rest of the word as its value. */
export function lettersOf(letters: string, options: Options): readonly GivenOption[] {
  const found: GivenOption[] = []
  const all = Array.from(letters)
  for (const [index, letter] of all.entries()) {
    const option = options.get(`-${letter}`)
    const rest = all.slice(index + 1).join('')
    if (option === undefined || option.values === 'none') {
      found.push({ option, given: `-${letter}` })
      if (option === undefined) break
    } else {
      found.push({ option, given: `-${letter}`, ...(rest !== '' && { attached: rest }) })
      break
    }
  }
  return found
}
