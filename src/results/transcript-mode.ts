/** The mode of new files that hold what was said: for their owner alone. A file that is there keeps its own. */
export const transcriptMode = 0o600
