import { commands, loadCommands } from '../load-commands.ts'
import { plainWords } from './allow.ts'

/** The words of a line that is one command of literal words; or why it is none, as a clause. */
export async function simpleWords(text: string): Promise<readonly string[] | { readonly problem: string }> {
  await loadCommands()
  const { list, problem } = commands().readLine(text)
  if (problem !== undefined) return { problem }
  const [part] = list
  if (list.length !== 1 || part === undefined) return { problem: 'is not one command' }
  if ('problem' in part) return part
  return plainWords(part.command) ?? { problem: 'is not one command of literal words' }
}

/** The literal words of all commands of a line. */
export async function literalWords(text: string): Promise<readonly string[]> {
  await loadCommands()
  return commands()
    .readLine(text)
    .commands.flatMap(({ words }) => words.flatMap(({ literal }) => literal ?? []))
}
