// Comments as the trees that they are. One whose parent is not among them begins a tree of its own.

export interface Branch<T> {
  item: T;
  answers: Branch<T>[];
}

interface Comment {
  id: string;
  parent_id?: unknown;
}

export function treesOf<T extends Comment>(items: readonly T[]): Branch<T>[] {
  const branches = new Map<string, Branch<T>>();
  for (const item of items) branches.set(item.id, {item, answers: []});
  const roots: Branch<T>[] = [];
  for (const item of items) {
    const own = branches.get(item.id);
    if (!own || own.item !== item) continue;
    const parent = typeof item.parent_id === 'string' ? branches.get(item.parent_id) : undefined;
    // A comment stands behind the one that it answers; anything else would be a ring.
    if (parent && parent !== own && !isBelow(parent, own)) parent.answers.push(own);
    else roots.push(own);
  }
  return roots;
}

function isBelow<T>(one: Branch<T>, root: Branch<T>): boolean {
  const left = [root];
  while (left.length > 0) {
    const at = left.pop()!;
    if (at === one) return true;
    left.push(...at.answers);
  }
  return false;
}

/** How many comments there are below one. */
export function countBelow<T>(of: Branch<T>): number {
  return of.answers.reduce((sum, one) => sum + 1 + countBelow(one), 0);
}
