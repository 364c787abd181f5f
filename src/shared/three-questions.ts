// The Sacred Questions, in their order.
export const QUESTIONS = [
  'What are you hiding?',
  'Who do you trust?',
  'What would you burn to keep it safe?',
] as const;
