extension Translations {
    static let vietnameseAccounts: [String: String] = [
        "Your password was changed. Sign in with the new one.":
            "Mật khẩu của bạn đã được đổi. Hãy đăng nhập bằng mật khẩu mới.",
        "Your e-mail address is confirmed. You can sign in now.":
            "Địa chỉ email của bạn đã được xác nhận. Bây giờ bạn có thể đăng nhập.",
        "Your account was deleted.":
            "Tài khoản của bạn đã được xóa.",
        "Continue without an account":
            "Tiếp tục không cần tài khoản",
        "or":
            "hoặc",
        "Go to your account":
            "Đến tài khoản của bạn",
        "Your e-mail address is confirmed":
            "Địa chỉ email của bạn đã được xác nhận",
        "Your e-mail address was changed":
            "Địa chỉ email của bạn đã được đổi",
        "Your password was changed":
            "Mật khẩu của bạn đã được đổi",
        "Your account was deleted":
            "Tài khoản của bạn đã được xóa",
        "You can use it to sign in, and we can reach you there.":
            "Bạn có thể dùng địa chỉ này để đăng nhập, và chúng tôi có thể liên hệ với bạn qua đó.",
        "From now on, mails go to the new address. Your other sessions have ended.":
            "Từ bây giờ, thư được gửi đến địa chỉ mới. Các phiên khác của bạn đã kết thúc.",
        "Your other sessions have ended. Sign in there with the new password.":
            "Các phiên khác của bạn đã kết thúc. Hãy đăng nhập lại ở đó bằng mật khẩu mới.",
        "Its ways to sign in and its sessions were deleted, too. The app may still hold data of its own about you.":
            "Các cách đăng nhập và các phiên của tài khoản cũng đã được xóa. Ứng dụng có thể vẫn còn dữ liệu riêng về bạn.",
        "Delete your account?":
            "Xóa tài khoản của bạn?",
        "The account, its ways to sign in and all its sessions are deleted at once. This cannot be undone.":
            "Tài khoản, các cách đăng nhập và mọi phiên của tài khoản sẽ được xóa ngay. Không thể hoàn tác việc này.",
        "The app may still hold data of its own about you.":
            "Ứng dụng có thể vẫn còn dữ liệu riêng về bạn.",
        "Delete the account for good":
            "Xóa vĩnh viễn tài khoản",
        "Keep the account":
            "Giữ tài khoản",
        "Send the confirmation mail again":
            "Gửi lại thư xác nhận",
        "Added on {date}":
            "Đã thêm ngày {date}",
        "Remove":
            "Gỡ bỏ",
        "Link {provider}":
            "Liên kết {provider}",
        "Remove {provider}":
            "Gỡ bỏ {provider}",
        "New password":
            "Mật khẩu mới",
        "Change password":
            "Đổi mật khẩu",
        "Set a password":
            "Đặt mật khẩu",
        "New e-mail address":
            "Địa chỉ email mới",
        "Change address":
            "Đổi địa chỉ",
        "Your other sessions end when the password changes.":
            "Các phiên khác của bạn sẽ kết thúc khi mật khẩu thay đổi.",
        "We send a link to the new address. The address changes when you open it, and your other sessions end.":
            "Chúng tôi gửi một liên kết đến địa chỉ mới. Địa chỉ thay đổi khi bạn mở liên kết đó, và các phiên khác của bạn sẽ kết thúc.",
        "Change your e-mail address":
            "Đổi địa chỉ email",
        "Manage second factors":
            "Quản lý yếu tố thứ hai",
        "Second factors":
            "Yếu tố thứ hai",
        "Last used on {date}":
            "Dùng lần cuối ngày {date}",
        "Sessions":
            "Phiên",
        "Sign out everywhere else":
            "Đăng xuất ở mọi nơi khác",
        "Delete account":
            "Xóa tài khoản",
        "Name":
            "Tên",
        "confirmed":
            "đã xác nhận",
        "not confirmed":
            "chưa xác nhận",
        "E-mail address":
            "Địa chỉ email",
        "You use this site without an account. Add a way to sign in, so that you can come back from another browser.":
            "Bạn đang dùng trang web này mà không có tài khoản. Hãy thêm một cách đăng nhập để có thể quay lại từ trình duyệt khác.",
        "User ID":
            "ID người dùng",
        "This is your only way to sign in. Add another one before you remove it.":
            "Đây là cách đăng nhập duy nhất của bạn. Hãy thêm một cách khác trước khi gỡ bỏ.",
        "Add a way to sign in":
            "Thêm cách đăng nhập",
        "Ways to sign in":
            "Các cách đăng nhập",
        "E-mail and password":
            "Email và mật khẩu",
        "You have no second factor. With one, a stolen password is not enough to sign in.":
            "Bạn chưa có yếu tố thứ hai. Khi có yếu tố thứ hai, mật khẩu bị đánh cắp là chưa đủ để đăng nhập.",
        "This session":
            "Phiên này",
        "A page asks you for confirmation first.":
            "Một trang sẽ hỏi bạn xác nhận trước.",
        "Your account":
            "Tài khoản của bạn",
        "To change your ways to sign in, your password or your address, sign in again first.":
            "Để thay đổi các cách đăng nhập, mật khẩu hoặc địa chỉ của bạn, trước tiên hãy đăng nhập lại.",
        "The way to sign in was added.":
            "Đã thêm cách đăng nhập.",
        "The way to sign in was removed. Sessions that were made with it have ended.":
            "Đã gỡ bỏ cách đăng nhập. Các phiên được tạo bằng cách đó đã kết thúc.",
        "Your password was changed. Your other sessions have ended.":
            "Mật khẩu của bạn đã được đổi. Các phiên khác của bạn đã kết thúc.",
        "Your e-mail address is confirmed.":
            "Địa chỉ email của bạn đã được xác nhận.",
        "Your e-mail address was changed. Your other sessions have ended.":
            "Địa chỉ email của bạn đã được đổi. Các phiên khác của bạn đã kết thúc.",
        "The sessions have ended.":
            "Các phiên đã kết thúc.",
        "You signed in again. You can make changes now.":
            "Bạn đã đăng nhập lại. Bây giờ bạn có thể thay đổi.",
        "You are signed in to the other account now.":
            "Bây giờ bạn đã đăng nhập vào tài khoản kia.",
        "The way to sign in could not be added. Nothing was changed.":
            "Không thể thêm cách đăng nhập. Không có gì thay đổi.",
        "The address belongs to an account that is linked to another {provider} account.":
            "Địa chỉ này thuộc về một tài khoản đã liên kết với một tài khoản {provider} khác.",
        "Sign in to that account in one of its ways, or ask the site's administrator.":
            "Hãy đăng nhập vào tài khoản đó bằng một trong các cách của nó, hoặc hỏi người quản lý trang web này.",
        "The address that {provider} sent belongs to an account, and {provider} is not linked to it.":
            "Địa chỉ mà {provider} gửi thuộc về một tài khoản, và {provider} chưa được liên kết với tài khoản đó.",
        "An account with the address {email} exists, and {provider} is not linked to it.":
            "Đã có một tài khoản với địa chỉ {email}, và {provider} chưa được liên kết với tài khoản đó.",
        "Sign in to that account the way you usually do. You are then asked whether to link {provider} to it.":
            "Hãy đăng nhập vào tài khoản đó theo cách bạn thường dùng. Sau đó bạn được hỏi có liên kết {provider} hay không.",
        "Sign in to that account in one of its ways. You are then asked whether to link {provider} to it.":
            "Hãy đăng nhập vào tài khoản đó bằng một trong các cách của nó. Sau đó bạn được hỏi có liên kết {provider} hay không.",
        "This works in this browser for {minutes} minutes. If you do not sign in, nothing changes.":
            "Việc này có hiệu lực trong trình duyệt này trong {minutes} phút. Nếu bạn không đăng nhập, không có gì thay đổi.",
        "Link {provider} to your account?":
            "Liên kết {provider} với tài khoản của bạn?",
        "A sign-in with {provider} in this browser met your account, because both have the same e-mail address.":
            "Một lần đăng nhập bằng {provider} trong trình duyệt này gặp tài khoản của bạn, vì cả hai có cùng địa chỉ email.",
        "A sign-in with {provider} as {name} in this browser met your account, because both have the same e-mail address.":
            "Một lần đăng nhập bằng {provider} với tên {name} trong trình duyệt này gặp tài khoản của bạn, vì cả hai có cùng địa chỉ email.",
        "{provider} has not confirmed that the address {email} belongs to that user.":
            "{provider} chưa xác nhận rằng địa chỉ {email} thuộc về người dùng đó.",
        "If you link it, the user of that {provider} account can sign in to your account.":
            "Nếu bạn liên kết, bất cứ ai có tài khoản {provider} đó đều có thể đăng nhập vào tài khoản của bạn.",
        "Choose No if you did not sign in with {provider} yourself.":
            "Hãy chọn Không nếu bạn không tự mình đăng nhập bằng {provider}.",
        "No, do not link":
            "Không, đừng liên kết",
        "Yes, link":
            "Có, liên kết",
        "{provider} is linked to another account of this site. Nothing was changed.":
            "{provider} đã được liên kết với một tài khoản khác của trang web này. Không có gì thay đổi.",
        "You can sign in to that account now. You then use that one instead of the one you are signed in to.":
            "Bạn có thể đăng nhập vào tài khoản đó ngay bây giờ. Khi đó bạn dùng tài khoản đó thay cho tài khoản bạn đang đăng nhập.",
        "Sign in to the other account":
            "Đăng nhập vào tài khoản kia",
        "Keep using this account":
            "Tiếp tục dùng tài khoản này",
        "Cancel":
            "Hủy",
        "Confirm that it is you":
            "Xác nhận đó là bạn",
        "The next step is sensitive. Sign in again to the same account to continue.":
            "Bước tiếp theo là bước nhạy cảm. Hãy đăng nhập lại vào cùng tài khoản để tiếp tục.",
        "At least {count} characters. A few words that do not belong together are easy to remember.":
            "Ít nhất {count} ký tự. Một vài từ không liên quan với nhau thì dễ nhớ.",
        "The e-mail address or the password is wrong.":
            "Địa chỉ email hoặc mật khẩu không đúng.",
        "There were too many attempts. Try again in a minute.":
            "Có quá nhiều lần thử. Hãy thử lại sau một phút.",
        "There were too many attempts. Try again in {minutes} minutes.":
            "Có quá nhiều lần thử. Hãy thử lại sau {minutes} phút.",
        "Enter a complete e-mail address, such as name@example.com.":
            "Hãy nhập địa chỉ email đầy đủ, ví dụ name@example.com.",
        "The password is too short. Use at least {count} characters.":
            "Mật khẩu quá ngắn. Hãy dùng ít nhất {count} ký tự.",
        "The password is too long. Use at most 1,024 bytes.":
            "Mật khẩu quá dài. Hãy dùng nhiều nhất 1.024 byte.",
        "Many people use this password, so it is easy to guess. Choose another one.":
            "Nhiều người dùng mật khẩu này nên rất dễ đoán. Hãy chọn mật khẩu khác.",
        "Send the mail":
            "Gửi thư",
        "Reset your password":
            "Đặt lại mật khẩu của bạn",
        "Enter the e-mail address of your account. We send you a link to choose a new password.":
            "Hãy nhập địa chỉ email của tài khoản. Chúng tôi gửi cho bạn một liên kết để chọn mật khẩu mới.",
        "Back to the sign-in":
            "Quay lại trang đăng nhập",
        "Choose a new password":
            "Chọn mật khẩu mới",
        "The change ends your sessions on all devices.":
            "Thay đổi này kết thúc các phiên của bạn trên mọi thiết bị.",
        "Confirm address":
            "Xác nhận địa chỉ",
        "Does the address {email} belong to you?":
            "Địa chỉ {email} có phải của bạn không?",
        "This confirms it for the account {account}. If that is not your account, do not confirm.":
            "Việc này xác nhận địa chỉ cho tài khoản {account}. Nếu đó không phải tài khoản của bạn, đừng xác nhận.",
        "This confirms it for the registration that was begun in this browser. If you did not begin it, do not confirm.":
            "Việc này xác nhận địa chỉ cho lượt đăng ký đã bắt đầu trong trình duyệt này. Nếu bạn không bắt đầu lượt đăng ký đó, đừng xác nhận.",
        "To confirm the address {email}, enter the password of the account that it is for.":
            "Để xác nhận địa chỉ {email}, hãy nhập mật khẩu của tài khoản dùng địa chỉ này.",
        "To confirm the address {email}, sign in to the account that it is for.":
            "Để xác nhận địa chỉ {email}, hãy đăng nhập vào tài khoản dùng địa chỉ này.",
        "You are signed in to another account in this browser.":
            "Trong trình duyệt này, bạn đang đăng nhập vào một tài khoản khác.",
        "Sign in another way":
            "Đăng nhập bằng cách khác",
        "I did not create this account":
            "Tôi không tạo tài khoản này",
        "I did not ask for this":
            "Tôi không yêu cầu việc này",
        "If someone else created the account with your address, you can take it over. Its password, its other ways to sign in and its sessions are removed, and you choose a new password.":
            "Nếu người khác đã tạo tài khoản này bằng địa chỉ của bạn, bạn có thể lấy lại tài khoản. Mật khẩu, các cách đăng nhập khác và các phiên của tài khoản sẽ bị xóa, và bạn chọn mật khẩu mới.",
        "If you did not ask for this mail, you can make its link invalid. Nothing else changes.":
            "Nếu bạn không yêu cầu thư này, bạn có thể hủy liên kết trong thư. Không có gì khác thay đổi.",
        "The link of the mail does not work any more. Nothing else was changed.":
            "Liên kết trong thư không còn dùng được. Không có gì khác bị thay đổi.",
        "Confirm your e-mail address":
            "Xác nhận địa chỉ email của bạn",
        "Password":
            "Mật khẩu",
        "Sign in with password":
            "Đăng nhập bằng mật khẩu",
        "Forgot your password?":
            "Quên mật khẩu?",
        "Create an account":
            "Tạo tài khoản",
        "You will get a mail with a link that confirms your address.":
            "Bạn sẽ nhận được thư có liên kết để xác nhận địa chỉ của bạn.",
        "Sign in instead":
            "Đăng nhập thay vì tạo mới",
        "No mail after a few minutes? Look in the spam folder, and check the address for typing errors.":
            "Sau vài phút vẫn chưa có thư? Hãy xem thư mục thư rác và kiểm tra xem địa chỉ có gõ sai không.",
        "Check your mail":
            "Hãy kiểm tra hộp thư",
        "We sent you a mail. Open the link in it to continue.":
            "Chúng tôi đã gửi thư cho bạn. Hãy mở liên kết trong thư để tiếp tục.",
        "If the address belongs to an account, we sent a mail to it. Open the link in it to choose a new password.":
            "Nếu địa chỉ thuộc về một tài khoản, chúng tôi đã gửi thư đến đó. Hãy mở liên kết trong thư để chọn mật khẩu mới.",
        "We sent a mail to the new address. The address of your account changes when you open the link in it.":
            "Chúng tôi đã gửi thư đến địa chỉ mới. Địa chỉ của tài khoản thay đổi khi bạn mở liên kết trong thư.",
        "Not available on this site":
            "Không có trên trang này",
        "This site does not keep a list of sessions.":
            "Trang này không lưu danh sách phiên.",
        "To end the session of this browser, sign out.":
            "Để kết thúc phiên của trình duyệt này, hãy đăng xuất.",
        "This session does not exist":
            "Phiên này không tồn tại",
        "The session has ended already, or it is not one of yours. Nothing was changed.":
            "Phiên đã kết thúc, hoặc không phải của bạn. Không có gì thay đổi.",
        "Open the list of your sessions again.":
            "Hãy mở lại danh sách phiên của bạn.",
        "Unknown browser":
            "Trình duyệt không xác định",
    ]
}
