// Runs the suite for every kind of room on plain folders.
import { describeRooms } from "../../../testing/rooms-suite.ts";

describeRooms("folder");
