import { describe, expect, test } from 'vitest'
import { canonicalTool } from '../src/internal.ts'
import { namesTool } from '../src/tool-name.ts'

describe('canonicalTool', () => {
  test.each([
    ['Bash', ['Read', 'Bash'], 'Bash'],
    ['bash', ['Read', 'Bash'], 'Bash'],
    ['BASH', ['bash'], 'bash'],
    ['Bash', ['bash', 'Bash', 'BASH'], 'Bash'],
    ['bAsh', ['bash', 'Bash'], undefined],
    ['bash', ['Bash', 'Bash'], 'Bash'],
    ['Bash ', ['Bash'], undefined],
    ['Bash\u00a0', ['Bash'], undefined],
    ['Tas\u212a', ['Task'], undefined],
    ['L\u0130st', ['List'], undefined],
    ['constructor', ['Bash'], undefined],
    ['', ['Bash'], undefined],
  ])('[ABUSE-44] %j among %j is %j', (name, known, expected) => {
    expect(canonicalTool(name, known)).toBe(expected)
    expect(canonicalTool(name, new Set(known).values())).toBe(expected)
  })
})

describe('namesTool', () => {
  test.each([
    ['Read', 'Read', true],
    ['Read', 'rEAD', true],
    ['Read', 'ReadFile', false],
    ['Tas\u212a', 'task', false],
    ['mcp__github__*', 'mcp__github__list_issues', true],
    ['MCP__GitHub__*', 'mcp__github__list_issues', true],
    ['mcp__github__*', 'mcp__github__', false],
    ['mcp__github__*', 'mcp__github_evil__list', false],
    ['mcp__github__*', 'mcp__github__evil__list', false],
    ['mcp__a__b__*', 'mcp__a__b__list', true],
    ['mcp__github__list', 'mcp__github__list', true],
    ['mcp__github__l*', 'mcp__github__list', false],
    ['mcp__*', 'mcp__github__list', false],
    ['mcp__*__list', 'mcp__github__list', false],
    ['mcp__*__*', 'mcp__github__list', false],
    ['*', 'Read', false],
    ['*', '*', false],
    ['R*', 'Read', false],
  ])('[GATE-2] a rule for %s and the tool %s: %s', (rule, tool, expected) => {
    expect(namesTool(rule, tool)).toBe(expected)
  })
})
