// A folder without git keeps the workspace's contract.
import { describeWorkspace } from "../../testing/workspace-suite.ts";

describeWorkspace("plain");
