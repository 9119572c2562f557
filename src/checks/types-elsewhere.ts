/** Assertion types of other test tools, and the corresponding type here. */
const typesOfOtherTools: Record<string, string> = {
  'llm-rubric': 'judge',
  'model-graded-closedqa': 'judge',
  'model-graded-factuality': 'judge',
  factuality: 'judge',
  'g-eval': 'judge',
  geval: 'judge',
  'answer-relevance': 'judge',
  rubric: 'judge',
  javascript: 'script',
  python: 'script',
  'is-json': 'json_schema',
  'contains-json': 'json_schema',
  levenshtein: 'similar',
  'is-valid-openai-tools-call': 'tool_called',
  'is-valid-function-call': 'tool_called',
}

/** Suggests a type for a name that another test tool uses. */
export function suggestFromOtherTools(type: string): string[] {
  const name = type.toLowerCase().replaceAll('_', '-')
  const meant = Object.hasOwn(typesOfOtherTools, name) ? typesOfOtherTools[name] : undefined
  return meant === undefined ? [] : [meant]
}
