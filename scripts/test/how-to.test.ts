import { expect, it } from 'vitest'
import { readAll } from './pages.ts'

/** The lines of a program that are neither blank nor comments. */
const linesOf = (text: string): readonly string[] =>
  text.split('\n').filter((line) => line.trim() !== '' && !/^\s*(?:\/\/|\/?\*)/.test(line))

/** The names of ours that a program imports. */
const importsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^import (?:type )?\{([^}]+)\} from '@repertoire\//gm)].flatMap(([, names = '']) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  )

it.each([
  ['a first agent', 'packages/ai-sdk/test/docs/how-to-agent-example.ts', 8, 3],
  ['a web route with saved sessions', 'packages/ai-sdk/test/docs/readme-example.ts', 12, 4],
  ['an agent of LangChain with interrupts', 'packages/langchain/test/docs/how-to-interrupts-example.ts', 15, 5],
])('[ADPT-4] the program for %s is short, and imports few names of ours', (_task, path, lines, names) => {
  const [file] = readAll([path])
  expect(importsOf(file!.text)).not.toEqual([])
  expect(linesOf(file!.text).length).toBeLessThanOrEqual(lines)
  expect(importsOf(file!.text).length).toBeLessThanOrEqual(names)
  expect(readAll(['docs/how-to.md'])[0]!.text).toContain(file!.text)
})
