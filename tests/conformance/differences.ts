// Where Reward Kit gives something else than the original, on purpose; docs/differences.md tells
// users the same by kind. What is not here agrees.

import { criterionDifferences } from "./criterion_differences.ts";
import type { Difference } from "./difference.ts";
import { layoutDifferences } from "./layout_differences.ts";

export const differences: readonly Difference[] = [...criterionDifferences, ...layoutDifferences];
