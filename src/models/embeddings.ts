import type { TokenUsage } from '../results/transcript/reply.ts'

export interface Embedding {
  vectors: number[][]
  usage?: TokenUsage
}

/** Undefined when every text has a vector that can be compared with the others. */
export function findVectorProblem(vectors: readonly unknown[], texts: number): string | undefined {
  if (vectors.length !== texts) return `has ${vectors.length} embeddings for ${texts} texts`
  if (!vectors.every(isVector)) return 'has an embedding that is not a list of numbers'
  if (new Set(vectors.map(({ length }) => length)).size > 1) return 'has embeddings of different lengths'
  return vectors.every(hasDirection)
    ? undefined
    : 'has an embedding without a direction: it is empty or all zeros'
}

/** Zeros have no direction; values close to zero or infinity would lose theirs when multiplied. */
function hasDirection(vector: readonly number[]): boolean {
  const square = vector.reduce((sum, value) => sum + value * value, 0)
  return square > 1e-100 && square < 1e100
}

function isVector(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((item) => Number.isFinite(item))
}
