import Testing
@testable import Conditions

@Test func smoke() throws {
    let condition = try Condition("1 + 1 == 2", in: ConditionEnvironment())
    #expect(try condition.holds([ConditionValue?]()))
}
