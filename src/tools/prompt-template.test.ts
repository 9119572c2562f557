import { describe, expect, it } from 'vitest'
import { fillPromptTemplate, parsePromptTemplate } from './prompt-template.ts'

const fill = (text: string, args: Record<string, unknown>) =>
  fillPromptTemplate(parsePromptTemplate(text), args, new Set(['name', 'format']))

describe('a prompt template', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['Hello', {}, 'Hello'],
    ['Hello {{name}}!', { name: 'Ann' }, 'Hello Ann!'],
    ['{{ name }}, {{name}}', { name: 'Ann' }, 'Ann, Ann'],
    ['Hello {{name}}!', {}, 'Hello !'],
    ['Hello {{name}}!', { name: null }, 'Hello !'],
    ['Hello {{stranger}}!', {}, 'Hello {{stranger}}!'],
    ['Hello {{stranger}}!', { stranger: 'Bob' }, 'Hello Bob!'],
    ['{{name}} {{format}}', { name: 3, format: { a: [true] } }, '3 {"a":[true]}'],
    ['a{{#if format}} in {{format}}{{/if}}.', { format: 'bold' }, 'a in bold.'],
    ['a{{#if format}} in {{format}}{{/if}}.', {}, 'a.'],
    ['a{{#if format}} in {{format}}{{/if}}.', { format: '' }, 'a.'],
    ['a{{#if format}}b{{/if}}', { format: false }, 'a'],
    ['{{#if name}}1{{#if format}}2{{/if}}3{{/if}}', { name: 'x', format: 'y' }, '123'],
    ['{{#if name}}1{{#if format}}2{{/if}}3{{/if}}', { name: 'x' }, '13'],
    ['{{#if name}}1{{#if format}}2{{/if}}3{{/if}}', { format: 'y' }, ''],
    ['{{name}}', { name: '{{format}}{{#if' }, '{{format}}{{#if'],
    ['{{toString}} {{}} { {name} } {{a b}}', {}, '{{toString}} {{}} { {name} } {{a b}}'],
  ])('%s with %j', (text, args, filled) => {
    expect(fill(text, args)).toBe(filled)
  })

  it.each([
    ['{{#if name}}a', '{{#if}} without an {{/if}}'],
    ['a{{/if}}', '{{/if}} without an {{#if}}'],
  ])('is refused: %s', (text, message) => {
    expect(() => parsePromptTemplate(text)).toThrow(message)
  })
})
