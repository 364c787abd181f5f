// What a story can be, and what each is called: without a schema, so that a page without a schema can say it.

/** What a story can be, in the order in which a form offers them. `asksPerson`: of whom, and for how long, is asked. */
export const storyTypes = [
  { value: 'biography', label: 'Sacred Biography', asksPerson: false },
  { value: 'relationship', label: 'Love Mythology', asksPerson: true },
  { value: 'breakup', label: 'Ending Ritual', asksPerson: true },
  { value: 'eulogy', label: 'Eulogy', asksPerson: true },
] as const;
export type StoryType = (typeof storyTypes)[number]['value'];
export const storyLabel = (type: StoryType): string =>
  storyTypes.find(({ value }) => value === type)?.label ?? type;
