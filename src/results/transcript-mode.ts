/** The mode of new files with conversations in them: only their owner may read them. Existing files keep their mode. */
export const transcriptMode = 0o600
